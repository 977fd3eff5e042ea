//! Instructions in PTX text, compared by what they do: name, space, hints and bits per thread.
//!
//! ```text
//!   recorded   ld.global.v4.u32                      LLVM prints   ld.global.v4.b32, or ld.global.nc.v2.b64
//!   recorded   ldmatrix.sync.aligned.m8n8.x4.shared.b16            the same
//! ```
//!
//! Counts need care: a recorded one is that of the program's text, where the instruction may be in a loop, while ours
//! are unrolled. The number of executions by a thread must agree: one for each `bits` bits of its share of the region.

use super::Mismatch;
use crate::case::Case;

/// The effect of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    /// All of its name but the width: `ld`, `global`, `nc`.
    words: Vec<String>,
    /// Bits that a thread moves.
    bits: i64,
}

/// Checks that the program contains the instruction as often as the copy needs it.
pub(super) fn compare(case: &Case, instruction: &str, recorded: i64, program: &str, mismatches: &mut Vec<Mismatch>) {
    let what = format!("ptx {instruction}");
    let Some(wanted) = form(instruction) else {
        mismatches.push(Mismatch::new(what, "an instruction without a width", "one with a width"));
        return;
    };
    if let Some(expected) = elsewhere(case, &wanted) {
        mismatches.push(Mismatch::new(what, "an access that is not of this copy", expected));
        return;
    }
    let needed = if recorded == 0 { 0 } else { executions(case, wanted.bits) };
    let got = program.lines().filter_map(opcode).filter_map(form).filter(|form| is_that(form, &wanted)).count();
    if i64::try_from(got) != Ok(needed) {
        mismatches.push(Mismatch::new(what, got, needed));
    }
}

/// The access that the copy makes, if it differs from the wanted one. Accesses of the kernel around it do not count.
fn elsewhere(case: &Case, wanted: &Form) -> Option<String> {
    let space = match wanted.words.first().map(String::as_str) {
        Some("ld") => case.src.space,
        Some("st") => case.dst.space,
        _ => return None,
    };
    let expected = format!("{}.{space}", wanted.words[0]);
    (wanted.words.get(1).map(String::as_str) != Some(space.name())).then_some(expected)
}

/// The number of times that a thread must move `bits` bits to do its share.
fn executions(case: &Case, bits: i64) -> i64 {
    let all = case.src.elements().saturating_mul(i64::from(case.src.element.bits));
    let at_once = bits.saturating_mul(case.threads()).max(1);
    all / at_once + i64::from(all % at_once != 0)
}

/// Whether an instruction is the wanted one. LLVM reads memory that the kernel does not write through the read-only
/// cache, whether requested or not.
fn is_that(got: &Form, wanted: &Form) -> bool {
    let plain = |form: &Form| form.words.iter().filter(|word| *word != "nc").cloned().collect::<Vec<_>>();
    let asked = wanted.words.iter().any(|word| word == "nc");
    got.bits == wanted.bits && if asked { got.words == wanted.words } else { plain(got) == wanted.words }
}

/// The opcode of a line of PTX; `None` on labels, directives and comments.
fn opcode(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix('@') {
        Some(predicated) => predicated.split_once(char::is_whitespace)?.1.trim_start(),
        None => line,
    };
    let name = line.split([' ', '\t', ';']).next()?;
    let plausible = name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.ends_with(':');
    plausible.then_some(name)
}

fn form(instruction: &str) -> Option<Form> {
    let mut words: Vec<String> =
        instruction.split('.').map(|word| word.strip_suffix("::cta").unwrap_or(word).to_owned()).collect();
    let matrices = words.iter().find_map(|word| number(word, "x").filter(|_| words.iter().any(|word| word == "m8n8")));
    if let Some(matrices) = matrices {
        return Some(Form { words, bits: 32 * matrices });
    }
    let kind = words.pop()?;
    let width = ["b", "u", "s", "f"].iter().find_map(|prefix| number(&kind, prefix))?;
    let vector = words.last().and_then(|word| number(word, "v"));
    if vector.is_some() {
        words.pop();
    }
    Some(Form { words, bits: width.checked_mul(vector.unwrap_or(1))? })
}

/// `4` of `v4`.
fn number(word: &str, prefix: &str) -> Option<i64> {
    word.strip_prefix(prefix)?.parse().ok().filter(|number: &i64| (1..=1024).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(got: &str, wanted: &str) -> bool {
        is_that(&form(got).unwrap(), &form(wanted).unwrap())
    }

    #[test]
    fn widths_count_not_spellings() {
        assert!(matches("ld.shared.v4.b32", "ld.shared.v4.u32"));
        assert!(matches("ld.shared.v2.b64", "ld.shared.v4.u32"));
        assert!(matches("st.shared::cta.b32", "st.shared.u32"));
        assert!(!matches("ld.shared.v2.b32", "ld.shared.v4.u32"));
        assert!(!matches("st.shared.v4.b32", "ld.shared.v4.u32"));
        assert!(!matches("ld.global.v4.b32", "ld.shared.v4.u32"));
    }

    #[test]
    fn hints_count() {
        assert!(matches("ld.global.nc.v4.b32", "ld.global.v4.u32"));
        assert!(!matches("ld.global.v4.b32", "ld.global.nc.v4.u32"));
        assert!(!matches("ld.global.nc.v4.b32", "ld.global.nc.L1::no_allocate.v4.u32"));
    }

    #[test]
    fn matrices_count() {
        let name = "ldmatrix.sync.aligned.m8n8.x2.shared.b16";
        assert_eq!(form(name).unwrap().bits, 64);
        assert!(matches(name, name));
        assert!(!matches("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", name));
        assert!(!matches("ldmatrix.sync.aligned.m8n8.x4.shared.b16", name));
    }

    #[test]
    fn finds_opcodes() {
        assert_eq!(opcode("\t@%p1 ld.shared.b32 %r1, [%rd2];"), Some("ld.shared.b32"));
        assert_eq!(opcode("\tbar.sync 0;"), Some("bar.sync"));
        assert_eq!(opcode("\tret;"), Some("ret"));
        for line in ["// begin", ".reg .b32 %r<3>;", "$L__BB0_1:", "loop:", "{", ""] {
            assert_eq!(opcode(line), None, "{line}");
        }
        assert_eq!(form("ret"), None);
    }
}
