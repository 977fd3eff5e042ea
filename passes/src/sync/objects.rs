//! The memory that accesses are of: as a whole, or through the run-time strides of a buffer.

use tile_plan::bounds::Term;

use crate::read::alias::Root;

/// Memory that accesses are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The memory.
    pub root: Root,
    /// What gives its offsets, where these are known only at run time.
    pub pitch: Option<Pitch>,
}

impl From<Root> for Object {
    fn from(root: Root) -> Self {
        Object { root, pitch: None }
    }
}

/// The type of a buffer with its run-time strides and extents: two buffers of one memory that agree in these are the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pitch {
    /// The type, by its address.
    pub of: usize,
    /// The strides, then the extents.
    pub numbers: Vec<Term>,
    /// The bytes that stand for the strides.
    pub strides: Vec<i64>,
}

impl Pitch {
    /// A byte, as a user reads it.
    ///
    /// ```text
    ///   3 * 2^40 + 10, a stride of 2^40        byte 10 after 3 * s0
    /// ```
    pub fn place(&self, byte: i64) -> String {
        let mut steps = Vec::new();
        let rest = self.strides.iter().enumerate().fold(byte, |rest, (index, &stride)| {
            let count = rest.saturating_add(stride / 2).div_euclid(stride);
            if count != 0 {
                steps.push(format!("{count} * s{index}"));
            }
            rest - count * stride
        });
        if steps.is_empty() { format!("byte {rest}") } else { format!("byte {rest} after {}", steps.join(" + ")) }
    }
}
