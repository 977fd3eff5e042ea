//! Reads the stack that LLVM prints when a signal kills a process, and decides whether the crash is upstream's.
//!
//! Frames of libMLIR and libLLVM are upstream's, those of the C and C++ libraries belong to neither side, the others (a
//! tool, the plugin) are ours. A crash is upstream's if, from the crash outwards, one of upstream's [`ENTRIES`] comes
//! before any frame of ours: from there on upstream has only called itself, on input or IR that it had read, verified
//! or printed itself. Code that MLIR's headers instantiate in our libraries is treated as upstream's, by its name.
//! tile-translate contains LLVM: there our functions are those with `tile` in their names. A crash without a stack is
//! ours.

/// Functions through which upstream is entered with an input, or with valid IR.
const ENTRIES: [&str; 13] = [
    "::parse(mlir::OpAsmParser&",
    "mlir::parseAsmSourceFile",
    "mlir::parseSourceFile",
    "mlir::readBytecodeFile",
    "mlir::BytecodeReader",
    "mlir::verify(",
    "mlir::Operation::print(",
    "mlir::AsmState::AsmState",
    "mlir::writeBytecodeToFile",
    "mlir::detail::OpToOpPassAdaptor::run",
    "mlir::translateModuleToLLVMIR",
    "llvm::legacy::PassManagerImpl::run",
    "llvm::PassManager<llvm::Module",
];

/// Known crashes of upstream: a function near the top of the stack, and the cause.
pub const KNOWN: [(&str, &str); 9] = [
    ("mlir::vector::FromElementsOp::parse", "a vector type of more elements than memory holds is parsed"),
    (
        "mlir::AsmPrinter::Impl::printDenseArrayAttr",
        "`array<T: …>` whose T is no number is read, and cannot be printed",
    ),
    ("mlir::gpu::GPUFuncOp::verifyBody", "a body with fewer arguments than the type says is verified"),
    ("mlir::LLVM::InsertValueOp::verify", "a position that the type does not have is looked up"),
    ("mlir::LLVM::detail::createIntrinsicCall", "an NVVM operation outside of a function is translated"),
    ("llvm::SelectionDAGBuilder::visitInlineAsm", "constraints of inline assembly do not fit its operands"),
    ("llvm::LiveVariables::", "the back end meets a register that nothing defines"),
    ("mlir::BytecodeReader::", "numbers of damaged bytecode are taken as sizes and places without a check"),
    ("mlir::readBytecodeFile", "numbers of damaged bytecode are taken as sizes and places without a check"),
];

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    function: String,
    module: String,
}

impl Frame {
    /// Whether it is in upstream's libraries, or code of its headers or C API in ours.
    fn is_upstream(&self) -> bool {
        let api = |name: &str| name.strip_prefix("mlir").is_some_and(|rest| rest.starts_with(char::is_uppercase));
        let is_linked_in = self.module.contains("/tile-translate") && !self.function.contains("tile");
        is_linked_in
            || ["libMLIR", "libLLVM"].iter().any(|library| self.module.contains(library))
            || ["mlir::", "llvm::"].iter().any(|space| self.function.starts_with(space))
            || api(&self.function)
    }

    /// Whether it belongs to neither side: the C or C++ library, code that TableGen generates to read bytecode, or the
    /// worker process.
    fn is_neither(&self) -> bool {
        let libraries = ["libc.so", "libm.so", "libstdc++", "libgcc_s", "linux-vdso", "libpthread", "ld-linux"];
        // If the C library has debug information, its frames name files of its source tree instead.
        let sources =
            ["./nptl/", "./signal/", "./stdlib/", "./csu/", "./malloc/", "./string/", "./libio/", "../sysdeps/"];
        libraries.iter().any(|library| self.module.contains(library))
            || sources.iter().any(|source| self.module.starts_with(source))
            || self.module.is_empty()
            || self.function.contains("::readProperties(")
            || self.function.contains("tile_conformance::mutant")
    }
}

/// The frames that LLVM printed, innermost first, without those of the signal handler.
///
/// ` #4 0x00007f01 mlir::verify(mlir::Operation*, bool) (/usr/lib/libMLIR.so.22.1+0x123)`, or with debug information
/// ` #5 0x00007f02 raise ./signal/../sysdeps/posix/raise.c:27:6`
pub fn frames(trace: &str) -> Vec<Frame> {
    let all: Vec<Frame> = trace.lines().filter_map(frame).collect();
    // The C library calls the signal handler.
    let handler = all.iter().position(Frame::is_neither).map_or(0, |at| at + 1);
    all[handler..].to_vec()
}

fn frame(line: &str) -> Option<Frame> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (_, rest) = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().split_once(' ')?;
    let (function, module) = match rest.rsplit_once(" (") {
        Some((function, module)) => (function, module.trim_end_matches(')')),
        None if rest.starts_with('(') => ("", rest.trim_start_matches('(').trim_end_matches(')')),
        None => rest.rsplit_once(' ').unwrap_or((rest, "")),
    };
    Some(Frame { function: function.trim().to_owned(), module: module.to_owned() })
}

/// The innermost named function, without its arguments.
pub fn top(frames: &[Frame]) -> String {
    let name = |frame: &Frame| frame.function.split('(').next().filter(|name| !name.is_empty()).map(str::to_owned);
    let all = frames.iter().filter(|frame| !frame.is_neither());
    all.filter_map(name).next().unwrap_or_else(|| "no frame".to_owned())
}

/// A description of a crash if it is upstream's, else `None`.
pub fn upstream(frames: &[Frame]) -> Option<String> {
    let ours = frames.iter().position(|frame| !frame.is_upstream() && !frame.is_neither()).unwrap_or(frames.len());
    let theirs = &frames[..ours];
    let entered = |frame: &Frame| ENTRIES.iter().any(|entry| frame.function.contains(entry));
    if !theirs.iter().any(entered) {
        return None;
    }
    let known = |(function, _): &&(&str, &str)| theirs.iter().any(|frame| frame.function.contains(*function));
    Some(match KNOWN.iter().find(known) {
        Some((function, why)) => format!("{function}: {why}"),
        None => format!("{} (not in the table)", top(frames)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HANDLER: &str = " #0 0x01 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/l/libLLVM.so.22.1+0x1)\n \
                           #1 0x02 (/lib/x86_64-linux-gnu/libc.so.6+0x2)\n";

    fn judged(rest: &str) -> Option<String> {
        upstream(&frames(&format!("Stack dump:\n{HANDLER}{rest}")))
    }

    #[test]
    fn upstream_calls_itself() {
        let stack = " #2 0x03 mlir::Lexer::lex() (/l/libMLIR.so.22.1+0x3)\n \
                     #3 0x04 mlir::parseSourceFile(int) (/l/libMLIR.so.22.1+0x4)\n #4 0x05 main (/t/tile-opt+0x5)";
        assert_eq!(judged(stack).as_deref(), Some("mlir::Lexer::lex (not in the table)"));
    }

    #[test]
    fn the_c_library_may_have_debug_information() {
        let stack = " #2 0x03 raise ./signal/../sysdeps/posix/raise.c:27:6\n #3 0x04 abort ./stdlib/abort.c:81:7\n \
                     #4 0x05 llvm::report_fatal_error(int) (/l/libLLVM.so.22.1+0x3)\n \
                     #5 0x06 mlir::BytecodeReader::Impl::read() (/l/libMLIR.so.22.1+0x4)\n \
                     #6 0x07 tile_opt::main::h12 tile_opt.12-cgu.0:0:0";
        assert!(judged(stack).is_some_and(|whose| whose.starts_with("mlir::BytecodeReader::")));
        assert_eq!(
            judged(" #2 0x03 tile_opt::main::h12 tile_opt.12-cgu.0:0:0\n #3 0x04 mlir::verify() (/l/libMLIR.so+1)"),
            None
        );
    }

    #[test]
    fn a_frame_of_ours_in_between_makes_it_ours() {
        let stack = " #2 0x03 mlir::IntegerAttr::get() (/l/libMLIR.so.22.1+0x3)\n \
                     #3 0x04 tile::BufferType::parse(int) (/t/tile-opt+0x4)\n \
                     #4 0x04 mlir::parseSourceFile(int) (/l/libMLIR.so.22.1+0x4)\n";
        assert_eq!(judged(stack), None);
        assert_eq!(top(&frames(stack)), "mlir::IntegerAttr::get");
    }

    #[test]
    fn a_tool_with_llvm_inside_has_frames_of_both() {
        let stack = |inner: &str| {
            format!(
                " #2 0x03 {inner} (/t/tile-translate+0x3)\n \
                 #3 0x04 llvm::legacy::PassManagerImpl::run(int) (/t/tile-translate+0x4)\n \
                 #4 0x05 tile_passes::tools::translate (/t/tile-translate+0x5)\n"
            )
        };
        assert!(judged(&stack("(anonymous namespace)::Selector::run(int)")).is_some());
        assert_eq!(judged(&stack("tile::detail::seen(int)")), None);
        assert_eq!(judged(&stack("tile_plan::convert::of")), None);
    }

    #[test]
    fn without_an_entry_it_is_ours() {
        assert_eq!(
            judged(" #2 0x03 mlir::IntegerAttr::get() (/l/libMLIR.so.22.1+0x3)\n #3 0x04 (/t/tile-opt+0x4)"),
            None
        );
        assert_eq!((judged(""), top(&frames(""))), (None, "no frame".to_owned()));
    }
}
