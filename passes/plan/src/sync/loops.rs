//! Loops.

/// What is known of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loop {
    /// How often its body is executed, where that is a known number.
    pub trips: Option<i64>,
    /// Where that is not known: loops with the same number here go round equally often.
    pub count: Option<usize>,
    /// Is it executed at least once?
    pub entered: bool,
    /// May a thread go round when others have left?
    pub ragged: bool,
    /// Is a part of its body executed before it, too, as that of a loop that asks first whether to go on?
    pub rotated: bool,
}
