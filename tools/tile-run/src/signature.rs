//! The interfaces of the kernels in a PTX text: names, parameters, launch bounds.
//!
//! Only declarations are read, so that this also works for kernels whose instructions the simulator does not know.
//!
//! ```text
//! .visible .entry copy(                    name: copy
//!     .param .u64 .ptr .align 256 a,       a pointer
//!     .param .align 8 .b8 s[16]            an aggregate of 16 bytes
//! )
//! .maxntid 256, 1, 1
//! { … }
//! ```

use thiserror::Error;

use crate::words::{self, Words};

/// A kernel's declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The name of the entry.
    pub name: String,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// `.reqntid`: the only block shape that it can be launched with.
    pub required_threads: Option<[u32; 3]>,
    /// `.maxntid`: the maximum number of threads along each dimension.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqnctapercluster`.
    pub cluster: Option<[u32; 3]>,
}

/// A kernel parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The type without its dot: `u64`, `b8`.
    pub ty: String,
    /// Its bytes; for an array, those of the whole array.
    pub bytes: usize,
    /// Whether `.ptr` declares it as an address.
    pub pointer: bool,
    /// Whether it is an array, which is how aggregates are passed.
    pub array: bool,
}

/// Declarations that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: in a declaration of a kernel: got `{got}`, expected {expected}")]
pub struct SignatureError {
    line: u32,
    got: String,
    expected: &'static str,
}

type Result<T> = std::result::Result<T, SignatureError>;

/// The kernels that a PTX text defines, in order.
pub fn kernels(ptx: &str) -> Result<Vec<Signature>> {
    let mut reader = Reader { words: words::split(ptx) };
    let mut found = Vec::new();
    while let Some(word) = reader.words.next() {
        if word.text == ".entry" {
            found.extend(reader.kernel()?);
        }
    }
    Ok(found)
}

struct Reader<'a> {
    words: Words<'a>,
}

impl Reader<'_> {
    fn error<T>(&self, expected: &'static str) -> Result<T> {
        let (line, got) = self.words.peek().map_or((0, "the end of the text"), |w| (w.line, w.text));
        Err(SignatureError { line, got: got.into(), expected })
    }

    fn is_next(&self, text: &str) -> bool {
        self.words.peek().is_some_and(|w| w.text == text)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.is_next(text);
        if found {
            self.words.next();
        }
        found
    }

    fn name(&mut self) -> Result<String> {
        let name = self.words.peek().filter(|w| w.text.starts_with(|c: char| c.is_alphabetic() || "_$%".contains(c)));
        let Some(name) = name else { return self.error("a name") };
        self.words.next();
        Ok(name.text.into())
    }

    fn number(&mut self) -> Result<u32> {
        let number = self.words.peek().and_then(|w| w.text.trim_end_matches(['u', 'U']).parse().ok());
        let Some(number) = number else { return self.error("a number") };
        self.words.next();
        Ok(number)
    }

    /// Reads the part after `.entry`; `None` for a declaration without a body.
    fn kernel(&mut self) -> Result<Option<Signature>> {
        let name = self.name()?;
        let params = if self.take("(") { self.params()? } else { Vec::new() };
        let (required_threads, max_threads, cluster) = (None, None, None);
        let mut signature = Signature { name, params, required_threads, max_threads, cluster };
        loop {
            let Some(word) = self.words.next() else { return self.error("`{` or `;`") };
            match word.text {
                "{" => return Ok(Some(signature)),
                ";" => return Ok(None),
                ".reqntid" => signature.required_threads = Some(self.triple()?),
                ".maxntid" => signature.max_threads = Some(self.triple()?),
                ".reqnctapercluster" => signature.cluster = Some(self.triple()?),
                // Hints, with or without a number.
                _ => {}
            }
        }
    }

    /// Reads one to three numbers; missing ones are 1.
    fn triple(&mut self) -> Result<[u32; 3]> {
        let mut triple = [self.number()?, 1, 1];
        for place in &mut triple[1..] {
            if self.take(",") {
                *place = self.number()?;
            }
        }
        Ok(triple)
    }

    fn params(&mut self) -> Result<Vec<Param>> {
        let mut params = Vec::new();
        while !self.take(")") {
            params.push(self.param()?);
            if !self.take(",") && !self.is_next(")") {
                return self.error("`,` or `)`");
            }
        }
        Ok(params)
    }

    fn param(&mut self) -> Result<Param> {
        if !self.take(".param") {
            return self.error("`.param`");
        }
        let (mut ty, mut pointer) = (None, false);
        while let Some(word) = self.words.peek().filter(|w| w.text.starts_with('.')) {
            self.words.next();
            match word.text {
                ".align" => drop(self.number()?),
                ".ptr" => pointer = true,
                other => ty = size(other).map(|bytes| (other[1..].to_string(), bytes)).or(ty),
            }
        }
        let Some((ty, bytes)) = ty else { return self.error("a type before the name") };
        let name = self.name()?;
        let elements = self.array()?;
        let Some(bytes) = bytes.checked_mul(elements.unwrap_or(1)) else { return self.error("a smaller array") };
        Ok(Param { name, ty, bytes, pointer, array: elements.is_some() })
    }

    fn array(&mut self) -> Result<Option<usize>> {
        if !self.take("[") {
            return Ok(None);
        }
        let elements = self.number()?;
        if self.take("]") { Ok(Some(elements as usize)) } else { self.error("`]`") }
    }
}

/// The bytes of a type such as `.u64`; `None` for other words.
fn size(word: &str) -> Option<usize> {
    let digits = word.strip_prefix(['.'])?.strip_prefix(['b', 'u', 's', 'f'])?;
    matches!(digits, "8" | "16" | "32" | "64" | "128").then(|| digits.parse::<usize>().unwrap_or(0) / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Signature {
        let mut found = kernels(text).unwrap();
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    #[test]
    fn a_kernel_as_llvm_prints_it() {
        let text = "// a comment with .entry no(\n.version 8.0\n.visible .entry copy(\n\t.param .u64 .ptr .global .align 256 \
                    copy_param_0,\n\t.param .align 8 .b8 s[16],\n .param .f32 x\n)\n.maxntid 256, 2\n.minnctapersm 2\n{\n ret;\n}";
        let signature = one(text);
        assert_eq!((signature.name.as_str(), signature.max_threads), ("copy", Some([256, 2, 1])));
        let params = signature.params.iter().map(|p| (p.ty.as_str(), p.bytes, p.pointer, p.array)).collect::<Vec<_>>();
        assert_eq!(params, [("u64", 8, true, false), ("b8", 16, false, true), ("f32", 4, false, false)]);
    }

    #[test]
    fn bounds_and_kernels_without_parameters() {
        let text =
            ".entry a .reqntid 32 { ret; } /* .entry b */ .func f() { ret; } .entry c() .reqnctapercluster 2,1,1 {}";
        let found = kernels(text).unwrap();
        assert_eq!(found.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!((found[0].required_threads, found[1].cluster), (Some([32, 1, 1]), Some([2, 1, 1])));
    }

    proptest::proptest! {
        /// Any text is either read or rejected.
        #[test]
        fn any_order_of_words_is_read_or_refused(words in proptest::collection::vec(proptest::sample::select(&WORDS), 0..30)) {
            if let Ok(kernels) = kernels(&words.concat()) {
                proptest::prop_assert!(kernels.len() <= words.len());
            }
        }
    }

    const WORDS: [&str; 16] = [
        ".entry ",
        "k ",
        "(",
        ")",
        ".param ",
        ".u64 ",
        ".b8 ",
        ".ptr ",
        ".align ",
        "8 ",
        "[",
        "4294967295]",
        ",",
        "{",
        "//",
        "\n",
    ];

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| kernels(text).unwrap_err().to_string();
        assert_eq!(
            error("\n.entry k(.param .u64 a .param"),
            "line 2: in a declaration of a kernel: got `.param`, expected `,` or `)`"
        );
        assert!(error(".entry k(.u64 a)").ends_with("got `.u64`, expected `.param`"));
        assert!(error(".entry k(.param .q64 a)").ends_with("got `a`, expected a type before the name"));
        assert!(error(".entry k(.param .u64 a) .maxntid x {}").ends_with("got `x`, expected a number"));
        assert!(error(".entry k(").ends_with("got `the end of the text`, expected `.param`"));
        assert!(error(".entry k").ends_with("expected `{` or `;`"));
    }
}
