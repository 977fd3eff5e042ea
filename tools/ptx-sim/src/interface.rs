//! The interfaces of the kernels in a PTX text: names, parameters, and what a launch needs.
//!
//! Only declarations are read, so that this also works for kernels whose instructions the simulator does not know.
//!
//! ```text
//! .visible .entry copy(                    name: copy
//!     .param .u64 .ptr .align 256 a,       a pointer
//!     .param .align 8 .b8 s[16]            an aggregate of 16 bytes
//! )
//! .reqntid 256, 1, 1                       needs
//! { … }
//! // dynamic shared memory of copy: 65536 bytes
//! ```

use std::fmt;

use crate::needs::Needs;
use crate::parse::ast::{Function, Variable};
use crate::parse::{self, ParseError};

/// A kernel's declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// The name of the entry.
    pub name: String,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// What a launch must give it.
    pub needs: Needs,
}

/// A kernel parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// The name in the PTX text.
    pub name: String,
    /// The type without its dot: `u64`, `b8`.
    pub ty: String,
    /// Size in bytes; for an array, that of the whole array.
    pub size: u64,
    /// Whether `.ptr` declares it as an address.
    pub pointer: bool,
    /// Whether it is an array, which is how aggregates are passed.
    pub array: bool,
}

/// The kernels that a PTX text defines, in order.
///
/// ```
/// let kernels = ptx_sim::interfaces(".visible .entry add(.param .u64 .ptr .align 16 a, .param .f32 x) { an unknown body }")?;
/// assert_eq!(kernels[0].to_string(), "add(buffer, f32)");
/// # Ok::<(), ptx_sim::ParseError>(())
/// ```
///
/// # Errors
/// Declarations that cannot be read.
pub fn interfaces(ptx: &str) -> Result<Vec<Interface>, ParseError> {
    Ok(parse::kernels(ptx)?.iter().map(Interface::of).collect())
}

impl Interface {
    pub(crate) fn of(function: &Function) -> Self {
        let params = function.params.iter().map(Param::of).collect();
        Self { name: function.name.clone(), params, needs: function.needs }
    }
}

impl Param {
    fn of(variable: &Variable) -> Self {
        let Variable { name, ty, size, pointer, array, .. } = variable;
        Self { name: name.clone(), ty: ty.clone(), size: size.unwrap_or(0), pointer: *pointer, array: *array }
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.params.iter().map(|p| match (p.pointer, p.array) {
            (true, _) => "buffer".into(),
            (_, true) => format!("{} bytes", p.size),
            _ => p.ty.clone(),
        });
        write!(f, "{}({})", self.name, types.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Dim3;

    #[test]
    fn a_kernel_as_llvm_prints_it() {
        let text = "// a comment with .entry no(\n.version 8.0\n.visible .entry copy(\n\t.param .u64 .ptr .global .align 256 \
                    copy_param_0,\n\t.param .align 8 .b8 s[16],\n .param .f32 x\n)\n.maxntid 256, 2\n.minnctapersm 2\n{\n \
                    wgmma.unknown.x2 {a, b};\n}";
        let [kernel] = interfaces(text).unwrap().try_into().unwrap();
        assert_eq!((kernel.name.as_str(), kernel.needs.max_threads), ("copy", Some(Dim3([256, 2, 1]))));
        let params = kernel.params.iter().map(|p| (p.ty.as_str(), p.size, p.pointer, p.array)).collect::<Vec<_>>();
        assert_eq!(params, [("u64", 8, true, false), ("b8", 16, false, true), ("f32", 4, false, false)]);
    }

    #[test]
    fn needs_and_kernels_without_parameters() {
        let text = ".entry a .reqntid 32 .newhint 3 { ret; } /* .entry b */ .func f() { ret; }\n.extern .entry d();\n\
                    .entry c() .reqnctapercluster 2,1,1 {}\n// argument of c at x\n\n// dynamic shared memory of c: 64 bytes\n";
        let found = interfaces(text).unwrap();
        assert_eq!(found.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        let needs: Vec<Needs> = found.iter().map(|kernel| kernel.needs).collect();
        assert_eq!((needs[0].threads, needs[0].dynamic_shared), (Some(Dim3([32, 1, 1])), 0));
        assert_eq!((needs[1].cluster, needs[1].dynamic_shared), (Some(Dim3([2, 1, 1])), 64));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| interfaces(text).unwrap_err().to_string();
        assert_eq!(error("\n.entry k(.param .u64 a .param"), "2:24: got `.param`, expected `)`");
        assert_eq!(error(".entry k(.param .q64 a)"), "1:17: `.q64` is not a type");
        assert_eq!(
            error(".entry k(.param .u64 a) .maxntid x {}"),
            "1:34: got `x`, expected a number of threads or blocks"
        );
        assert!(error(".entry k(").starts_with("1:10: got the end of the text"));
    }

    proptest::proptest! {
        /// Any text is either read or refused.
        #[test]
        fn any_order_of_words_is_read_or_refused(words in proptest::collection::vec(proptest::sample::select(&WORDS), 0..30)) {
            if let Ok(kernels) = interfaces(&words.concat()) {
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
}
