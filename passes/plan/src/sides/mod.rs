//! The two sides of a copy: what variants check, and how they bring both sides into one order.
//!
//! | module | subject |
//! | --- | --- |
//! | [`side`] | one side of a plan; conditions for a thread to take part |
//! | `region` | the part of an operand that takes part, also as a separate buffer |
//! | `order`, `digits` | both sides in one order; the iters that an instruction prescribes |
//! | `chain`, `registers` | thread axes as coordinates of the thread id; registers and memory in one order |
//! | [`ranks`] | the threads that share a copy, where not all threads of the scope do |
//! | `width` | whether vectors of a given width are legal |
//! | `require` | requirements on a copy that several variants share |
//! | [`issuer`] | the warp in which one thread issues what a scope does in tensor memory |
//! | [`begin`] | the start of a buffer |
//! | `address` | the building blocks of all address formulas |

pub(crate) mod address;
pub mod begin;
pub(crate) mod chain;
pub(crate) mod digits;
pub mod issuer;
pub(crate) mod order;
pub mod ranks;
pub(crate) mod region;
pub(crate) mod registers;
pub(crate) mod require;
pub mod side;
pub(crate) mod width;
