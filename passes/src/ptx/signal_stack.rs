//! Room for the handlers of signals, so that a crash of LLVM's back end prints its stack.
//!
//! Handlers run on the alternate signal stack of the thread that crashed. Rust gives its threads one of a few kilobytes, for
//! a message of one line; LLVM's handler names every frame, needs more, and would die itself without a word.

use std::ptr;

/// As LLVM takes for the threads that it starts the handlers on, rounded up.
const BYTES: usize = 128 << 10;

/// An alternate signal stack for this thread, until it is dropped there.
pub struct SignalStack {
    /// In use by the kernel; neither read nor moved.
    _memory: Vec<u8>,
    before: libc::stack_t,
}

impl SignalStack {
    /// For the thread that calls; none where the system refuses.
    pub fn install() -> Option<Self> {
        let mut memory = vec![0; BYTES];
        let own = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: BYTES };
        let mut before = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
        // SAFETY: the memory lives until `drop`, which takes it away from the thread first; both structures are whole.
        let installed = unsafe { libc::sigaltstack(&own, &mut before) } == 0;
        installed.then_some(SignalStack { _memory: memory, before })
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        // SAFETY: what was there before is Rust's, which lives as long as the thread. No handler runs on ours now: this does.
        unsafe { libc::sigaltstack(&self.before, ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> usize {
        let mut now = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: 0, ss_size: 0 };
        // SAFETY: asks only.
        assert_eq!(unsafe { libc::sigaltstack(ptr::null(), &mut now) }, 0);
        now.ss_size
    }

    #[test]
    fn the_thread_has_room_until_the_end_of_its_work() {
        let before = size();
        let stack = SignalStack::install();
        assert_eq!(size(), BYTES);
        drop(stack);
        assert_eq!(size(), before);
    }
}
