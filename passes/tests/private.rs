//! Modules of the library that are not public, with their tests: the library, whose manifest says `test = false`, is not compiled
//! again for these few.
//!
//! A separate program: a process has one handler of LLVM's fatal errors, and the library installs one, too.

#[allow(dead_code)]
#[path = "../src/layouts"]
mod layouts {
    mod uses;
}

#[allow(dead_code)]
#[path = "../src/nesting.rs"]
mod nesting;

#[allow(dead_code)]
#[path = "../src/portable"]
mod portable {
    mod constant;
}

#[allow(dead_code)]
#[path = "../src/ptx"]
mod ptx {
    mod back_end;
    mod long_sums;
    mod ptxas_report;
    mod unsigned;
}
