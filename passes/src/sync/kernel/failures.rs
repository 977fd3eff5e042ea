//! What stands in the way of a kernel's check, whatever the order of its accesses.

use melior::ir::OperationRef;

/// An error that does not depend on the order of accesses.
#[derive(PartialEq, Eq)]
pub struct KernelError<'c, 'a> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// The text of the error.
    pub text: String,
    /// Notes at other operations that are involved.
    pub notes: Vec<(OperationRef<'c, 'a>, String)>,
}

/// Operations that could not be read, and errors that do not depend on the order of accesses. Nothing is proved about a kernel
/// that has any.
#[derive(Default)]
pub struct Failures<'c, 'a> {
    unread: Vec<(OperationRef<'c, 'a>, String)>,
    errors: Vec<KernelError<'c, 'a>>,
    /// Operations that can be followed only by executing the program: phases of mbarriers in loops and in arms.
    executed: Vec<(OperationRef<'c, 'a>, String)>,
    /// Errors of phases, if phases complete in the order of the text.
    in_text_order: Vec<KernelError<'c, 'a>>,
}

/// The failures up to some point of the reading.
pub struct Mark([usize; 4]);

impl<'c, 'a> Failures<'c, 'a> {
    /// An operation could not be read.
    pub fn refuse(&mut self, op: OperationRef<'c, 'a>, why: impl Into<String>) {
        self.unread.push((op, why.into()));
    }

    /// An operation cannot be right.
    pub fn error(&mut self, op: OperationRef<'c, 'a>, text: impl Into<String>) {
        self.error_with_notes(KernelError { op, text: text.into(), notes: Vec::new() });
    }

    /// The same, with notes at other operations.
    pub fn error_with_notes(&mut self, error: KernelError<'c, 'a>) {
        // A copy that reaches several blocks meets the same mistake for each.
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// An operation can be followed only by executing the program.
    pub fn only_executed(&mut self, op: OperationRef<'c, 'a>, why: &str) {
        self.executed.push((op, why.to_owned()));
    }

    /// An operation cannot be right if phases complete in the order of the text.
    pub fn error_in_text_order(&mut self, error: KernelError<'c, 'a>) {
        self.in_text_order.push(error);
    }

    /// Whether phases can be followed only by executing the program.
    pub fn needs_execution(&self) -> bool {
        !self.executed.is_empty() || !self.in_text_order.is_empty()
    }

    /// The program is not executed: what only an execution can follow is not read, and errors of phases are errors.
    pub fn without_execution(&mut self) {
        self.unread.append(&mut self.executed);
        self.errors.append(&mut self.in_text_order);
    }

    /// Whether there are none, apart from what an execution decides.
    pub fn is_empty(&self) -> bool {
        self.unread.is_empty() && self.errors.is_empty()
    }

    /// The operations that could not be read, and why.
    pub fn unread(&self) -> &[(OperationRef<'c, 'a>, String)] {
        &self.unread
    }

    /// The errors.
    pub fn errors(&self) -> &[KernelError<'c, 'a>] {
        &self.errors
    }

    /// The failures so far.
    pub fn mark(&self) -> Mark {
        Mark([self.unread.len(), self.errors.len(), self.executed.len(), self.in_text_order.len()])
    }

    /// Drops the failures since then.
    pub fn forget_since(&mut self, Mark([unread, errors, executed, in_text_order]): Mark) {
        self.unread.truncate(unread);
        self.errors.truncate(errors);
        self.executed.truncate(executed);
        self.in_text_order.truncate(in_text_order);
    }
}
