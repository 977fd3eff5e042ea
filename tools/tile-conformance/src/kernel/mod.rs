//! The kernel of a case, as MLIR text.
//!
//! ```text
//!   views and allocs of both buffers
//!   fill   one element of a shared source, all registers of a local one     | so that the compiler knows no
//!   gpu.barrier                                                             | copied value, and all values
//!   scf.if …  { tile.copy %src to %dst }            the copy in question    | are used: neither the copy nor
//!   gpu.barrier                                                             | a part of it is removed
//!   drain  one element of a shared destination, all registers of a local one
//! ```

mod buffers;
pub(crate) mod issue;
mod runtime;
pub(crate) mod tensor;
mod text;
pub(crate) mod views;

use tile_isa::Space;
use tile_plan::problem::role::Role;

use crate::case::{Case, OptionValue, Side};
pub(crate) use buffers::{buffer_type, given};
pub(crate) use runtime::{arguments, begins, open, values};
pub(crate) use text::{Text, constant, quoted};

/// A module of one kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The module.
    pub text: String,
    /// The line of the copy in question, from 1 on.
    pub copy_line: usize,
    /// The lines that derive from the case: the copy, the types of its buffers and their definitions.
    pub own_lines: Vec<usize>,
}

/// The kernel of a case.
pub fn kernel(case: &Case) -> Kernel {
    let mut body = Text::indented(2);
    let sides = [Role::Src, Role::Dst].map(|role| (name(role), case.side(role)));
    let arguments = parameters(case, &sides);
    let mut in_body = Vec::new();
    issue::operands(&mut body, case);
    runtime::open(&mut body, case);
    for (name, side) in &sides {
        in_body.push(body.line(&buffers::definition(case, name, side)));
    }
    begins(&mut body, case);
    buffers::fill(&mut body, case, sides[0].0, sides[0].1);
    in_body.extend(views::define(&mut body, case));
    issue::prepare(&mut body, case);
    body.line("gpu.barrier");
    let copy_line = issue::issue(&mut body, case, &copy(case));
    issue::wait(&mut body, case);
    body.line("gpu.barrier");
    buffers::drain(&mut body, case, sides[1].0, sides[1].1);
    body.line("gpu.return");
    in_body.push(copy_line);

    let mut whole = Text::indented(0);
    let mut own_lines: Vec<usize> =
        sides.iter().map(|(name, side)| whole.line(&format!("!{name} = {}", buffers::buffer_type(side)))).collect();
    whole.line(&format!("gpu.module @kernels [#nvvm.target<chip = {}>] {{", quoted(&case.chip)));
    issue::globals(&mut whole, case);
    whole.line(&format!("  gpu.func @copy({arguments}) kernel"));
    let before = whole.line(&format!("      attributes {{known_block_size = array<i32: {}, 1, 1>}} {{", case.block));
    whole.append(body);
    whole.line("  }");
    whole.line("}");
    own_lines.extend(in_body.into_iter().map(|line| before + line));
    Kernel { text: whole.into_string(), copy_line: before + copy_line, own_lines }
}

/// `%src_memory: memref<…>, %dst_memory: memref<…>, %at: index`, the arguments of an asynchronous copy, and the
/// run-time values.
fn parameters(case: &Case, sides: &[(&str, &Side)]) -> String {
    let mut arguments: Vec<String> = sides
        .iter()
        .map(|(name, side)| match side.space {
            Space::Tmem => "%address: i32".to_owned(),
            _ => format!("%{name}_memory: {}", buffers::memory(case, side)),
        })
        .collect();
    arguments.push("%at: index".to_owned());
    arguments.extend(case.issue.filter(|issue| issue.predicated).map(|_| "%mask: i32".to_owned()));
    arguments.extend(runtime::arguments(case));
    arguments.join(", ")
}

pub(crate) fn name(role: Role) -> &'static str {
    match role {
        Role::Src => "src",
        Role::Dst => "dst",
    }
}

/// `tile.copy %src[0, 0] [4, 8] to %dst[0, 0] [4, 8] scope(warp) {cache = "nc"} : !src to !dst`.
pub(crate) fn copy(case: &Case) -> String {
    let forced = case.forced.iter().map(|name| ("variant".to_owned(), OptionValue::Text(name.clone())));
    let options: Vec<String> =
        forced.chain(case.options.iter().cloned()).map(|(name, value)| option(&name, &value)).collect();
    let options = if options.is_empty() { String::new() } else { format!(" {{{}}}", options.join(", ")) };
    let [(src, from), (dst, to)] = [Role::Src, Role::Dst].map(|role| views::operand(case, role));
    let op = if case.issue.is_some() { "tile.copy_async" } else { "tile.copy" };
    // Integers of a conversion are signed.
    let sign = case.kinds().is_some_and(|(from, to)| from.is_integer() || to.is_integer());
    let masked = if case.wording.margins.is_empty() { "" } else { " masked" };
    let clauses = issue::clauses(case) + if sign { " convert(signed)" } else { "" } + masked;
    format!("{op} {src} to {dst} scope({}){clauses}{options} : {from} to {to}", case.scope)
}

fn option(name: &str, value: &OptionValue) -> String {
    let value = match value {
        OptionValue::Text(text) => quoted(text),
        OptionValue::Integer(number) => number.to_string(),
        OptionValue::Flag(flag) => flag.to_string(),
        OptionValue::Unit => return text::identifier(name),
    };
    format!("{} = {value}", text::identifier(name))
}
