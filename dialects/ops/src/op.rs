//! Handles of ops.

use melior::ir::OperationRef;

/// A handle of one kind of op.
pub trait Op<'c, 'a>: Copy {
    /// The op's name, with its dialect's.
    const OP_NAME: &'static str;

    /// The handle of an op, if it is one of this kind.
    fn cast(op: OperationRef<'c, 'a>) -> Option<Self>;

    /// The handle of an op that was made as one of this kind.
    fn made(op: OperationRef<'c, 'a>) -> Self;

    /// The op.
    fn operation(self) -> OperationRef<'c, 'a>;
}

/// The name of an op, valid as long as the context that holds the text.
pub fn name<'c>(op: OperationRef<'c, '_>) -> &'c str {
    crate::raw::name(op)
}

/// Whether an op has that name.
pub fn named(op: OperationRef<'_, '_>, expected: &str) -> bool {
    name(op) == expected
}

/// A handle: a struct around a reference.
macro_rules! handle {
    ($class:ident, $name:literal, $summary:literal) => {
        #[doc = concat!("`", $name, "`: ", $summary, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $class<'c, 'a>(OperationRef<'c, 'a>);

        impl<'c: 'a, 'a> $class<'c, 'a> {
            /// The op's name.
            pub const NAME: &'static str = $name;

            /// The handle of an op, if it is one of this kind.
            #[inline]
            pub fn cast(op: OperationRef<'c, 'a>) -> Option<Self> {
                crate::named(op, $name).then_some($class(op))
            }

            /// The op.
            #[inline]
            pub fn operation(self) -> OperationRef<'c, 'a> {
                self.0
            }
        }

        impl<'c: 'a, 'a> Op<'c, 'a> for $class<'c, 'a> {
            const OP_NAME: &'static str = $name;

            #[inline]
            fn cast(op: OperationRef<'c, 'a>) -> Option<Self> {
                $class::cast(op)
            }

            #[inline]
            fn made(op: OperationRef<'c, 'a>) -> Self {
                $class(op)
            }

            #[inline]
            fn operation(self) -> OperationRef<'c, 'a> {
                self.0
            }
        }
    };
}
pub(crate) use handle;
