//! LLVM's fatal errors as values.
//!
//! The back end finds out late that a chip has no instruction for an operation, and then calls `report_fatal_error`, which
//! ends the process unless a handler does not return. Nor may one unwind: the frames above it are C++ without exceptions.
//! So the back end runs on a thread of its own, and the handler passes the reason on and lets that thread wait for ever:
//!
//! ```text
//!   caller      translate ── spawn ── wait ───────────────────────────────── got a reason: an error
//!   back end                    └── select instructions ── fatal error ── send the reason ── park
//! ```
//!
//! What such a thread holds is lost: its stack, and the LLVM context of one module, which nothing else refers to. LLVM calls
//! the handler without a lock. A child process would lose nothing, but `fork` in a program with other threads may find
//! the allocator locked, and a library has no program of its own to start instead.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::sync::Once;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use inkwell::support::error_handling::install_fatal_error_handler;

use super::signal_stack::SignalStack;

/// As much as LLVM's own tools have at most; what is not used costs nothing.
const STACK_BYTES: usize = 64 << 20;

thread_local! {
    /// Where this thread, one of [`run`], says why it does not go on.
    static REFUSED: RefCell<Option<Sender<String>>> = const { RefCell::new(None) };
}

/// LLVM ends the process when this returns, as it does without a handler. On a thread of [`run`] it does not return.
extern "C" fn refused(reason: *const c_char) {
    // SAFETY: LLVM passes a string that ends in a zero, and keeps it during the call.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned();
    let sender = REFUSED.try_with(|sender| sender.borrow().clone()).ok().flatten();
    let Some(sender) = sender else { return eprintln!("LLVM ERROR: {reason}") };
    // A closed channel: the caller has stopped waiting.
    let _ = sender.send(reason);
    loop {
        thread::park();
    }
}

/// What `work` gives, or the reason of LLVM's fatal error in it. `work` has all that it needs for itself: after a fatal
/// error it stays on its thread for ever.
///
/// # Errors
/// LLVM's reason.
pub fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    static INSTALLED: Once = Once::new();
    // SAFETY: the handler is for any thread and lives as long as the process; it neither unwinds nor calls LLVM.
    INSTALLED.call_once(|| unsafe { install_fatal_error_handler(refused) });
    let (sender, reasons) = channel();
    let thread = thread::Builder::new().name("llvm".to_owned()).stack_size(STACK_BYTES).spawn(move || {
        let _handlers = SignalStack::install();
        REFUSED.set(Some(sender));
        let result = work();
        // From here on no caller waits for a reason.
        REFUSED.set(None);
        result
    });
    let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
    match reasons.recv() {
        Ok(reason) => Err(reason),
        Err(_) => thread.join().map_err(|panic| std::panic::resume_unwind(panic)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_and_panics_go_on() {
        assert_eq!(run(|| 7), Ok(7));
        assert!(std::panic::catch_unwind(|| run(|| assert_eq!(1, 2))).is_err());
    }
}
