//! `tile-layout` as WebAssembly: the page `docs/web/layouts.html` passes a command line and shows the answer.
//!
//! ```text
//!   page                         module
//!   tile_layout_question(n)  ──▶ n bytes to write to
//!   writes "show\0(8, 8) : (8, 1)"
//!   tile_layout_answer()     ──▶ the status
//!   reads tile_layout_text_bytes() bytes at tile_layout_text()
//! ```
//!
//! The page writes to and reads from the module's memory by itself, so nothing here dereferences a pointer. A panic is a
//! trap, after which the page starts the module anew.

use std::cell::RefCell;

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// What the page and the module pass to each other.
#[derive(Default)]
struct Exchange {
    question: Vec<u8>,
    text: String,
}

/// The address of `bytes` bytes, to which the page writes the arguments, separated by zero bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tile_layout_question(bytes: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.question.clear();
        exchange.question.resize(bytes, 0);
        exchange.question.as_mut_ptr()
    })
}

/// Answers the question: 0 done, 1 not equal, 2 refused.
#[unsafe(no_mangle)]
pub extern "C" fn tile_layout_answer() -> u32 {
    EXCHANGE.with_borrow_mut(|exchange| {
        let question = String::from_utf8_lossy(&exchange.question);
        let answer = layout_tool::answer(std::iter::once("tile-layout").chain(question.split('\0')));
        exchange.text = answer.text;
        answer.status.into()
    })
}

/// The address of the answer's text, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn tile_layout_text() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.text.as_ptr())
}

/// The bytes of the answer's text.
#[unsafe(no_mangle)]
pub extern "C" fn tile_layout_text_bytes() -> usize {
    EXCHANGE.with_borrow(|exchange| exchange.text.len())
}
