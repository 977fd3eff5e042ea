//! LLVM's fatal errors as values, and stack space for the handlers of its crashes.
//!
//! The back end finds out late that a chip has no instruction for an operation, and then calls `report_fatal_error`, which ends
//! the process unless a handler does not return. The handler must not unwind: the frames above it are C++ without exceptions. So
//! the back end runs on a separate thread, and the handler sends the reason and parks that thread forever:
//!
//! ```text
//!   caller      translate ── spawn ── wait ───────────────────────────────── got a reason: an error
//!   back end                    └── select instructions ── fatal error ── send the reason ── park
//! ```
//!
//! The resources of such a thread are leaked: its stack, and the LLVM context of one module, which nothing else refers to. LLVM
//! calls the handler without holding a lock. A child process would leak nothing, but `fork` in a program with other threads may
//! find the allocator locked, and a library has no program of its own to start instead.
//!
//! Handlers of signals run on the alternate signal stack of the thread that crashed. Rust gives its threads one of a few
//! kilobytes, for a message of one line. LLVM's handler, which prints the stack where the back end crashes and names every frame,
//! needs more, and would itself die silently.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::sync::Once;
use std::sync::mpsc::{Sender, channel};
use std::{ptr, thread};

use inkwell::support::error_handling::install_fatal_error_handler;

/// The maximum that LLVM's own tools have; unused stack costs nothing.
const STACK_BYTES: usize = 64 << 20;

thread_local! {
    /// The channel on which this thread, one of [`run`], reports why it stops.
    static REFUSED: RefCell<Option<Sender<String>>> = const { RefCell::new(None) };
}

/// If this returns, LLVM ends the process, as it does without a handler. On a thread of [`run`] it does not return.
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

/// The result of `work`, or the reason of LLVM's fatal error in it. `work` owns all that it needs: after a fatal error it stays
/// on its thread forever.
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

/// The size that LLVM uses on threads where it installs the handlers, rounded up.
const SIGNAL_STACK_BYTES: usize = 128 << 10;

/// An alternate signal stack for this thread, until it is dropped there.
struct SignalStack {
    /// In use by the kernel; neither read nor moved.
    _memory: Vec<u8>,
    before: libc::stack_t,
}

impl SignalStack {
    /// Installs one for the calling thread; `None` where the system refuses.
    fn install() -> Option<Self> {
        let mut memory = vec![0; SIGNAL_STACK_BYTES];
        let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIGNAL_STACK_BYTES };
        let mut before = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
        // SAFETY: the memory lives until `drop`, which takes it away from the thread first; both structures are whole.
        let installed = unsafe { libc::sigaltstack(&stack, &mut before) } == 0;
        installed.then_some(SignalStack { _memory: memory, before })
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        // SAFETY: the previous stack is Rust's, which lives as long as the thread. No handler runs on this one now, since this
        // code does.
        unsafe { libc::sigaltstack(&self.before, ptr::null_mut()) };
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

    fn size() -> usize {
        let mut now = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: 0, ss_size: 0 };
        // SAFETY: it only queries.
        assert_eq!(unsafe { libc::sigaltstack(ptr::null(), &mut now) }, 0);
        now.ss_size
    }

    #[test]
    fn the_thread_has_room_until_the_end_of_its_work() {
        let before = size();
        let stack = SignalStack::install();
        assert_eq!(size(), SIGNAL_STACK_BYTES);
        drop(stack);
        assert_eq!(size(), before);
    }
}
