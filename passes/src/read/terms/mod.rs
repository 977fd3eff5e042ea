//! Values of the IR as terms: the one interpreter of what is computed at run time from ids, loops, memory and arguments.

mod computed;
pub mod divisibility;
mod id;
mod interpreter;
mod launch;
mod made;
pub mod rows;

pub use id::Id;
pub use interpreter::{Follow, Interpreter, Launch, LeafFacts, Name, Origin};
