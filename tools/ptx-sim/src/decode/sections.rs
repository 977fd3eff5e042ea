//! The sections of the PTX ISA (8.8) that describe instructions, also those that are not known here.

use crate::parse::ast::Instruction;

/// The section of an instruction; none if PTX has no such instruction.
pub(crate) fn section(inst: &Instruction) -> Option<&'static str> {
    let first = inst.modifiers.first().map_or("", String::as_str);
    Some(match inst.root.as_str() {
        "add" | "sub" | "mul" | "mad" | "div" | "min" | "max" | "abs" | "neg" => "9.7.1, 9.7.3, 9.7.4",
        "mul24" | "mad24" | "sad" | "rem" | "popc" | "clz" | "bfind" | "fns" | "brev" | "bfe" | "bfi" | "bmsk"
        | "szext" | "dp4a" | "dp2a" => "9.7.1",
        "addc" | "subc" | "madc" => "9.7.2",
        "testp" | "copysign" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" => "9.7.3",
        "fma" | "ex2" | "tanh" => "9.7.3, 9.7.4",
        "set" | "setp" | "selp" | "slct" => "9.7.6, 9.7.7",
        "and" | "or" | "xor" | "not" | "cnot" | "lop3" | "shf" | "shl" | "shr" => "9.7.8",
        "mov" | "shfl" | "prmt" | "ld" | "ldu" | "st" | "multimem" | "prefetch" | "prefetchu" | "applypriority"
        | "discard" | "createpolicy" | "isspacep" | "cvta" | "cvt" | "mapa" | "getctarank" | "cp" => "9.7.9",
        "tensormap" => "9.7.9.27",
        "tex" | "tld4" | "txq" | "istypep" => "9.7.10",
        "suld" | "sust" | "sured" | "suq" => "9.7.11",
        "bra" | "brx" | "call" | "ret" | "exit" => "9.7.12",
        "bar" | "barrier" | "membar" | "fence" | "atom" | "red" | "vote" | "match" | "activemask" | "redux"
        | "griddepcontrol" | "elect" | "mbarrier" => "9.7.13",
        "wmma" => "9.7.14.4",
        "mma" | "ldmatrix" | "stmatrix" | "movmatrix" => "9.7.14.5",
        "wgmma" => "9.7.15",
        "tcgen05" => match first {
            "mma" => "9.7.16.10",
            _ => "9.7.16",
        },
        "stacksave" | "stackrestore" | "alloca" => "9.7.17",
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" | "vset" | "vadd2" | "vsub2"
        | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vadd4" | "vsub4" | "vavrg4" | "vabsdiff4"
        | "vmin4" | "vmax4" | "vset4" => "9.7.18",
        "brkpt" | "nanosleep" | "pmevent" | "trap" | "setmaxnreg" => "9.7.19",
        _ => return None,
    })
}
