//! What is wrong, as the text of a message, for callers that pass on nothing else.

/// Turns an error into its text.
macro_rules! message_of {
    ($error:ty) => {
        impl From<$error> for String {
            fn from(error: $error) -> Self {
                error.to_string()
            }
        }
    };
}

pub(crate) use message_of;
