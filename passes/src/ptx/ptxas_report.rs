//! What ptxas says of the registers of kernels.
//!
//! ```text
//! ptxas info    : Function properties for copy
//!     24 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads
//! ```

/// Bytes that a thread stores to memory, and loads from it, since it has too few registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spilled {
    pub stores: u64,
    pub loads: u64,
}

impl Spilled {
    /// Those of a kernel; `None` where the text does not tell.
    pub(super) fn read(kernel: &str, text: &str) -> Option<Self> {
        let heading = format!("Function properties for {kernel}");
        let (_, numbers) = text.lines().zip(text.lines().skip(1)).find(|(line, _)| line.ends_with(&heading))?;
        let bytes = |what: &str| {
            let part = numbers.split(',').find(|part| part.ends_with(what))?;
            part.trim().split(' ').next()?.parse().ok()
        };
        Some(Spilled { stores: bytes("bytes spill stores")?, loads: bytes("bytes spill loads")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_the_kernel_that_is_asked_for_are_read() {
        let text = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Function properties for other\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Function properties for copy\n    24 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads\n";
        assert_eq!(Spilled::read("copy", text), Some(Spilled { stores: 16, loads: 20 }));
        assert_eq!(Spilled::read("other", text), Some(Spilled { stores: 0, loads: 0 }));
        assert_eq!(Spilled::read("py", text), None);
    }
}
