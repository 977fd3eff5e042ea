//! The syntax tree of a module, before names are resolved.

use std::collections::HashMap;

use super::Position;
use super::types::{Space, Type};
use crate::needs::Needs;

/// One `.global`, `.const`, `.shared`, `.local` or `.param` declaration.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) space: Space,
    /// The type of an element without its dot.
    pub(crate) ty: String,
    /// Whether it is a parameter that `.ptr` declares as an address.
    pub(crate) pointer: bool,
    /// Whether it has dimensions.
    pub(crate) array: bool,
    /// Alignment in bytes.
    pub(crate) align: u64,
    /// Size in bytes; `None` for `name[]`, whose size is set by the launch.
    pub(crate) size: Option<u64>,
    /// The bytes of the initializer, from offset 0; all others are zero. Empty if there is no initializer.
    pub(crate) init: Vec<u8>,
    /// Addresses in the initializer, see [`Relocation`].
    pub(crate) relocations: Vec<Relocation>,
    pub(crate) at: Position,
}

/// A pointer inside an initializer.
#[derive(Debug, Clone)]
pub(crate) struct Relocation {
    pub(crate) offset: u64,
    pub(crate) symbol: String,
    pub(crate) addend: i64,
}

/// A kernel (`.entry`) or device function (`.func`).
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) kernel: bool,
    pub(crate) returns: Vec<Variable>,
    pub(crate) params: Vec<Variable>,
    pub(crate) body: Option<Vec<Statement>>,
    pub(crate) needs: Needs,
    pub(crate) at: Position,
}

/// A location in a source text: file number, line and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Spot {
    pub(crate) file: u64,
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// The source location that `.loc` gives to the instructions after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Location {
    pub(crate) at: Spot,
    /// The call site at which the function that contains `at` was inlined.
    pub(crate) inlined_at: Option<Spot>,
}

#[derive(Debug, Clone)]
pub(crate) enum Statement {
    Registers {
        ty: Type,
        names: Vec<(String, Option<u32>)>,
        at: Position,
    },
    Variable(Variable),
    Label(String, Position),
    Instruction(Instruction),
    /// `.pragma "used_bytes_mask …"`: the mask of the bytes that the next load uses, with the one at the lowest address
    /// in bit 0.
    UsedBytes(u32),
    /// `.loc`; none if the instructions after it have no source line.
    Location(Option<Location>),
    Scope(Vec<Statement>),
    /// `.callprototype`: the calls that name it state the sizes of their arguments again.
    Prototype {
        label: String,
        at: Position,
    },
    /// `.branchtargets` or `.calltargets`.
    Targets {
        label: String,
        targets: Vec<String>,
        at: Position,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    /// The guard predicate's name, and whether it is negated.
    pub(crate) guard: Option<(String, bool)>,
    pub(crate) root: String,
    pub(crate) modifiers: Vec<String>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) at: Position,
}

impl Instruction {
    /// The opcode as written: `ld.global.b32`.
    pub(crate) fn opcode(&self) -> String {
        let mut text = self.root.clone();
        for modifier in &self.modifiers {
            text.push('.');
            text.push_str(modifier);
        }
        text
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand {
    /// A register, special register, label, function or variable, with an addend.
    Name(String, i64),
    Integer(i128),
    Single(u32),
    Double(u64),
    Vector(Vec<Operand>),
    /// `[base + offset]`.
    Address(Box<Operand>, i64),
    /// `[map, {coordinates}]`: the address of a tensor map, and the corner of a box.
    Corner(Box<Operand>, Vec<Operand>),
    /// `d|p`.
    Pair(Box<Operand>, Box<Operand>),
    /// `!p`.
    Not(Box<Operand>),
    /// `(a, b)` of a call.
    List(Vec<Operand>),
    /// `_`.
    Sink,
}

/// A whole module.
#[derive(Debug, Clone)]
pub(crate) struct Ast {
    pub(crate) version: (u32, u32),
    pub(crate) target: String,
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Function>,
    /// The file names that `.file` assigns to numbers.
    pub(crate) files: HashMap<u64, String>,
}
