//! What kernels that are drawn as text have in common: their lines, and the elements of their tiles.

use std::fmt::Display;

/// The type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// `i32`.
    I32,
    /// `f32`.
    F32,
    /// `f16`.
    F16,
}

impl Element {
    /// Its name in types.
    pub fn name(self) -> &'static str {
        match self {
            Element::I32 => "i32",
            Element::F32 => "f32",
            Element::F16 => "f16",
        }
    }

    /// The operation that adds two.
    pub fn add(self) -> &'static str {
        if self == Element::I32 { "arith.addi" } else { "arith.addf" }
    }

    /// The little-endian bytes of a small integer.
    pub fn bytes(self, value: u8) -> Vec<u8> {
        match self {
            Element::I32 => i32::from(value).to_le_bytes().to_vec(),
            Element::F32 => f32::from(value).to_le_bytes().to_vec(),
            // The exponent is that of the highest bit; the bits below it are the significand.
            Element::F16 if value == 0 => vec![0, 0],
            Element::F16 => {
                let exponent = value.ilog2() as u16;
                let bits = (exponent + 15) << 10 | (u16::from(value) << (10 - exponent) & 0x3ff);
                bits.to_le_bytes().to_vec()
            }
        }
    }
}

/// Lines of statements.
#[derive(Debug, Default)]
pub struct Lines {
    /// The lines so far.
    pub text: String,
    /// Regions around.
    pub depth: usize,
    names: usize,
}

impl Lines {
    /// Adds a line.
    pub fn line(&mut self, line: impl Display) {
        self.text += &format!("{}{line}\n", "  ".repeat(self.depth + 2));
    }

    /// A new name.
    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    /// The value of an operation.
    pub fn value(&mut self, operation: impl Display) -> String {
        let name = self.name();
        self.line(format!("{name} = {operation}"));
        name
    }

    /// A constant of type index.
    pub fn constant(&mut self, value: i64) -> String {
        self.value(format!("arith.constant {value} : index"))
    }

    /// The value of an operation on a value and a constant of type index.
    pub fn with(&mut self, operation: &str, left: &str, right: i64) -> String {
        let right = self.constant(right);
        self.value(format!("arith.{operation} {left}, {right} : index"))
    }

    /// A loop that ends when the mbarrier at `pointer` has completed the phase of this parity.
    pub fn wait(&mut self, pointer: &str, parity: &str) {
        self.line("scf.while : () -> () {");
        self.depth += 1;
        let done = self.value(format!("nvvm.mbarrier.try_wait {pointer}, {parity} : !llvm.ptr<3>, i32 -> i1"));
        let again = self.value(format!("arith.xori {done}, %true : i1"));
        self.line(format!("scf.condition({again})"));
        self.depth -= 1;
        self.line("} do {");
        self.line("  scf.yield");
        self.line("}");
    }
}
