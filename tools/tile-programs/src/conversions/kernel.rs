//! A kernel while it is drawn: its arguments, and its lines.

use tile_oracle::Rng;

use super::element::Element;
use super::memref::Memref;

/// An argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// An index.
    Index(i64),
    /// The number 5 or 7 of an element type.
    Element(Element, bool),
    /// Memory.
    Memory(Memref),
}

/// A kernel, and how it is launched.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The arguments; their names are `%a0`, `%a1`, ….
    pub arguments: Vec<Argument>,
    /// The lines of the body.
    pub lines: Vec<String>,
    /// The scope of its copies.
    pub scope: &'static str,
    /// The threads of the block.
    pub threads: u32,
    /// The element type of undefined padding, if there is any. It is called `%undefined`.
    pub undefined: Option<Element>,
    /// Why no tile copy expresses it, if that is certain.
    pub inexpressible: Option<&'static str>,
    /// Whether copies convert elements.
    pub converts: bool,
    /// The kinds of its copies.
    pub kinds: Vec<String>,
    names: usize,
    depth: usize,
}

impl Kernel {
    /// An empty kernel.
    pub fn new(rng: &mut Rng) -> Self {
        let (scope, threads) = *rng.one_of(&[
            ("thread", 1),
            ("warp", 32),
            ("warpgroup", 128),
            ("cta", 32),
            ("cta", 64),
            ("cta", 96),
            ("cta", 256),
        ]);
        Kernel {
            arguments: Vec::new(),
            lines: Vec::new(),
            scope,
            threads,
            undefined: None,
            inexpressible: None,
            converts: false,
            kinds: Vec::new(),
            names: 0,
            depth: 0,
        }
    }

    /// A name that no other value has.
    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    /// One more line.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "  ".repeat(self.depth), text.as_ref()));
    }

    /// A value that a line computes.
    pub fn value(&mut self, text: impl AsRef<str>) -> String {
        let name = self.name();
        self.line(format!("{name} = {}", text.as_ref()));
        name
    }

    /// One more argument.
    pub fn argument(&mut self, argument: Argument) -> String {
        let name = format!("%a{}", self.arguments.len());
        let argument = match argument {
            Argument::Memory(memref) => Argument::Memory(Memref { name: name.clone(), ..memref }),
            other => other,
        };
        self.arguments.push(argument);
        name
    }

    /// An index: a constant, an argument, or a sum of both.
    pub fn index(&mut self, rng: &mut Rng, value: i64) -> String {
        match rng.below(5) {
            0 | 1 => self.value(format!("arith.constant {value} : index")),
            2 | 3 => self.argument(Argument::Index(value)),
            _ => {
                let part = rng.below(4);
                let argument = self.argument(Argument::Index(value.wrapping_sub(part)));
                let constant = self.value(format!("arith.constant {part} : index"));
                self.value(format!("arith.addi {argument}, {constant} : index"))
            }
        }
    }

    /// Puts the lines that `body` adds into a loop or a condition.
    pub fn nested(&mut self, rng: &mut Rng, body: impl FnOnce(&mut Self, &mut Rng)) {
        let zero = self.value("arith.constant 0 : index");
        let one = self.value("arith.constant 1 : index");
        if rng.once_in(2) {
            let trips = self.value("arith.constant 2 : index");
            let counter = self.name();
            self.line(format!("scf.for {counter} = {zero} to {trips} step {one} {{"));
        } else {
            let taken = i64::from(!rng.once_in(4));
            let flag = self.argument(Argument::Index(taken));
            let condition = self.value(format!("arith.cmpi eq, {flag}, {one} : index"));
            self.line(format!("scf.if {condition} {{"));
        }
        self.depth += 1;
        body(self, rng);
        self.depth -= 1;
        self.line("}");
    }
}
