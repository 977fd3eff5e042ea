//! Printing that outlives its reader.
//!
//! `println!` ends the program with a panic when the reader of its output has gone, as `head` does when it has enough.

/// `println!` that goes on in silence once its reader has gone.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {{
        use ::std::io::Write as _;
        let _ = ::std::writeln!(::std::io::stdout(), $($text)*);
    }};
}

/// `eprintln!` that goes on in silence once its reader has gone.
#[macro_export]
macro_rules! complain {
    ($($text:tt)*) => {{
        use ::std::io::Write as _;
        let _ = ::std::writeln!(::std::io::stderr(), $($text)*);
    }};
}
