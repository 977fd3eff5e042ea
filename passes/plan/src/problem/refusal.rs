//! Reasons why a plan cannot be made.

use std::fmt;

use thiserror::Error;

use crate::problem::role::Role;

/// Why something cannot be done: a name per cause, and a sentence that says what was got and needed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Refusal {
    /// A distinct kebab-case name, for machines: `not-contiguous`.
    pub cause: &'static str,
    /// The explanation, for people.
    pub reason: String,
    /// The operand at fault, if it is one.
    pub operand: Option<Role>,
}

impl Refusal {
    /// A refusal that concerns the copy as a whole.
    pub fn new(cause: &'static str, reason: impl Into<String>) -> Self {
        Refusal { cause, reason: reason.into(), operand: None }
    }

    /// A refusal because of one operand.
    pub fn of(operand: Role, cause: &'static str, reason: impl Into<String>) -> Self {
        Refusal { cause, reason: reason.into(), operand: Some(operand) }
    }

    /// This refusal as the decline of a variant.
    pub fn by(self, variant: &'static str) -> Decline {
        Decline { variant, cause: self.cause, reason: self.reason, operand: self.operand }
    }
}

/// Whether a cause may be that a block has another number of threads than is needed, or that it is not known how many.
pub fn is_of_block_size(cause: &str) -> bool {
    const CAUSES: [&str; 5] = [
        "block-size-unknown",
        "too-few-threads",
        "registers-partly-held",
        "threads-not-covered",
        "scope-not-whole-warps",
    ];
    CAUSES.contains(&cause)
}

/// A variant's refusal to take a copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decline {
    /// The variant that declined.
    pub variant: &'static str,
    /// A distinct kebab-case name per cause.
    pub cause: &'static str,
    /// What was got and what is needed.
    pub reason: String,
    /// The operand at fault, if it is one.
    pub operand: Option<Role>,
}

impl Decline {
    /// Whether the variant is for copies between other memories, so that nothing else about the copy matters.
    pub fn is_for_other_spaces(&self) -> bool {
        self.cause == "unsupported-spaces"
    }
}

impl fmt::Display for Decline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} declined: {}", self.variant, self.reason)
    }
}

/// Why a vector could not be twice as wide (or wider).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowing {
    /// The width that failed, in bits.
    pub bits: u32,
    /// A distinct kebab-case name per cause.
    pub cause: &'static str,
    /// What is needed, and what is proven instead.
    pub reason: String,
    /// The operand at fault, if it is one.
    pub operand: Option<Role>,
}

impl From<Narrowing> for Refusal {
    fn from(narrowing: Narrowing) -> Self {
        Refusal { cause: narrowing.cause, reason: narrowing.reason, operand: narrowing.operand }
    }
}
