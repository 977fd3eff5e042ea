//! A call that is not inlined, and what is said of it.

use melior::ir::{Location, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, arguments_of, results_of};
use tile_dialect::{BufferType, Space};
use tile_ops::func;

use crate::read::{Unreadable, values};
use crate::{report, walk};

/// Whose wish it is that a call stays.
#[derive(PartialEq, Eq)]
enum KeptCause {
    /// Nobody's: it cannot be inlined.
    Impossible,
    /// The same, for a reason of which an error was reported elsewhere.
    Reported,
    /// The programmer's.
    Asked,
}

/// Why a call is not inlined.
pub struct KeptCall<'c> {
    why: Unreadable<'c>,
    cause: KeptCause,
}

impl<'c> KeptCall<'c> {
    /// It cannot be.
    pub fn new(reason: impl Into<String>) -> Self {
        KeptCall { why: Unreadable::from(reason.into()), cause: KeptCause::Impossible }
    }

    /// It cannot be, for a reason of which an error was reported elsewhere.
    pub fn reported(reason: String) -> Self {
        KeptCall { cause: KeptCause::Reported, ..KeptCall::new(reason) }
    }

    /// The programmer asked for a call.
    pub fn asked(reason: String) -> Self {
        KeptCall { cause: KeptCause::Asked, ..KeptCall::new(reason) }
    }

    /// Adds a note at another location.
    pub fn note(mut self, location: Location<'c>, text: impl Into<String>) -> Self {
        self.why.notes.push((location, text.into()));
        self
    }

    /// Reports it: as a remark if the call may stay, which is returned, else as an error.
    pub fn report(mut self, call: OperationRef<'c, '_>, keep: bool) -> bool {
        if passes_registers(call) {
            self.why.reason.push_str("; a call passes no tile of registers or tensor memory");
        } else if keep || self.cause == KeptCause::Asked {
            let args = [("Reason", self.why.reason)];
            report::emit(call, RemarkKind::Missed, "call-stays", "the call is not inlined", &args);
            return true;
        } else if self.cause == KeptCause::Reported {
            return false;
        }
        self.why.emit(call);
        false
    }
}

/// Whether a call passes or returns tiles that have no address.
fn passes_registers(call: OperationRef<'_, '_>) -> bool {
    values::operands(call).into_iter().chain(results_of(call)).any(has_no_address)
}

/// Whether a function takes or returns tiles that have no address.
pub fn takes_registers(function: OperationRef<'_, '_>) -> bool {
    let entry = function.region_at(0).and_then(|region| region.first_block());
    let taken = entry.map(arguments_of).unwrap_or_default();
    let returned = walk::named(function, func::ReturnOp::NAME).into_iter().flat_map(values::operands);
    taken.into_iter().chain(returned).any(has_no_address)
}

fn has_no_address(value: Value<'_, '_>) -> bool {
    let space = BufferType::from_type(value.r#type()).map(BufferType::space);
    matches!(space, Some(Space::Local | Space::Tmem))
}
