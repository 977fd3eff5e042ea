//! A kernel as MLIR: its frame, expressions, and references to memory. [`super::statements`] has the statements.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::ast::{Condition, Index, Kernel, Memory, Reference, Source};

/// The kernel's name.
pub const ENTRY: &str = "k";
/// The elements of its own that a statement's results take, for each thread.
pub const RESULTS: i64 = 4;

/// The module, as text.
pub fn text(kernel: &Kernel) -> String {
    let mut writer = Writer::new(kernel);
    writer.statements(&kernel.body);
    let body = std::mem::take(&mut writer.lines);
    [writer.head(), body, "  gpu.return\n  }\n}\n".to_owned()].concat()
}

/// Elements that the results of all statements take.
pub fn results(kernel: &Kernel) -> i64 {
    (numbers(kernel) * kernel.blocks * RESULTS * kernel.threads).max(1)
}

/// One more than the largest number of a statement.
fn numbers(kernel: &Kernel) -> i64 {
    fn most(body: &[super::ast::Statement]) -> usize {
        let largest = |statement: &super::ast::Statement| {
            let here = super::ast::number(statement).map_or(0, |number| number + 1);
            statement.bodies().into_iter().map(|body| most(body)).fold(here, usize::max)
        };
        body.iter().map(largest).fold(0, usize::max)
    }
    most(&kernel.body) as i64
}

/// Prints a kernel.
pub struct Writer<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// The statements so far.
    pub lines: String,
    /// Regions around.
    pub depth: usize,
    /// Whether the region may have one block only.
    pub single_block: bool,
    /// What loops and bindings name.
    pub bound: BTreeMap<usize, String>,
    /// The variables of loops.
    pub variables: BTreeMap<usize, String>,
    names: usize,
}

impl<'k> Writer<'k> {
    fn new(kernel: &'k Kernel) -> Self {
        let (bound, variables) = (BTreeMap::new(), BTreeMap::new());
        Writer { kernel, lines: String::new(), depth: 2, single_block: false, bound, variables, names: 0 }
    }

    /// The lines before the statements.
    fn head(&self) -> String {
        let kernel = self.kernel;
        let (threads, elements) = (kernel.threads, kernel.elements());
        let all = elements * kernel.blocks;
        let count = results(kernel);
        let mut out = "gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {\n".to_owned();
        let places = |wanted: Source| (0..kernel.memories.len()).filter(move |&at| kernel.memories[at] == wanted);
        for at in places(Source::Variable) {
            out += &format!(
                "  llvm.mlir.global internal @m{at}() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<{elements} x i32>\n"
            );
        }
        let memory =
            |at| format!("%m{at}: memref<{elements}xi32, #gpu.address_space<workgroup>> {{llvm.align = 16 : i64}}");
        let workgroup: Vec<String> = places(Source::Workgroup).map(memory).collect();
        let workgroup =
            if workgroup.is_empty() { String::new() } else { format!(" workgroup({})", workgroup.join(", ")) };
        let arguments: String = places(Source::Argument).map(|at| format!("%m{at}: memref<{all}xi32>, ")).collect();
        out += &format!(
            "  gpu.func @{ENTRY}({arguments}%results: memref<{count}xi32>, %table: memref<{threads}xi32>, %n: index, %q: i1)\
             {workgroup} kernel\n      attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{\n"
        );
        for line in [
            "%t = gpu.thread_id x",
            "%block = gpu.block_id x",
            "%ti = arith.index_cast %t : index to i32",
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
        ] {
            out += &format!("    {line}\n");
        }
        for at in places(Source::Tile) {
            out += &format!("    %m{at} = tile.alloc : !tile.buffer<{elements}xi32, shared>\n");
        }
        out
    }

    /// Adds a line.
    pub fn line(&mut self, text: impl Display) {
        self.lines += &format!("{}{text}\n", "  ".repeat(self.depth));
    }

    /// A new name.
    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// The value of an operation.
    pub fn value(&mut self, operation: impl Display) -> String {
        let name = format!("%{}", self.name());
        self.line(format!("{name} = {operation}"));
        name
    }

    /// A constant of type index.
    pub fn constant(&mut self, value: i64) -> String {
        match value {
            0 => "%c0".to_owned(),
            1 => "%c1".to_owned(),
            _ => self.value(format!("arith.constant {value} : index")),
        }
    }

    fn binary(&mut self, operation: &str, left: &Index, right: i64) -> String {
        let left = self.index(left);
        let right = self.constant(right);
        self.value(format!("arith.{operation} {left}, {right} : index"))
    }

    /// A number of type index.
    pub fn index(&mut self, index: &Index) -> String {
        match index {
            Index::Constant(value) => self.constant(*value),
            Index::Thread => "%t".to_owned(),
            Index::Block => "%block".to_owned(),
            Index::Number => "%n".to_owned(),
            Index::Variable(number, _) => self.variables.get(number).cloned().unwrap_or_else(|| "%c0".to_owned()),
            Index::Sum(left, right) => {
                let (left, right) = (self.index(left), self.index(right));
                self.value(format!("arith.addi {left}, {right} : index"))
            }
            Index::Difference(left, right) => {
                let right = self.index(right);
                let left = self.constant(*left);
                self.value(format!("arith.subi {left}, {right} : index"))
            }
            Index::Times(left, right) => self.binary("muli", left, *right),
            Index::Quotient(left, right) => self.binary("divui", left, *right),
            Index::Remainder(left, right) => self.binary("remui", left, *right),
            Index::Xor(left, right) => self.binary("xori", left, *right),
            Index::Select(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.index(then), self.index(otherwise));
                self.value(format!("arith.select {condition}, {then}, {otherwise} : index"))
            }
            Index::Table(at) => {
                let at = self.index(at);
                let number = self.value(format!("memref.load %table[{at}] : memref<{}xi32>", self.kernel.threads));
                self.value(format!("arith.index_castui {number} : i32 to index"))
            }
            Index::Element(memory, reference, at, limit) => {
                let (memory, at) = (self.memory(memory, *reference), self.index(at));
                let element = self.value(format!("memref.load {memory}[{at}] : {}", self.reference(*reference)));
                let element = self.value(format!("arith.index_castui {element} : i32 to index"));
                let limit = self.constant(*limit);
                self.value(format!("arith.remui {element}, {limit} : index"))
            }
        }
    }

    /// A value of type i1.
    pub fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Flag => "%q".to_owned(),
            Condition::Elected => self.value("nvvm.elect.sync -> i1"),
            Condition::Below(index, limit) => self.compare("ult", index, *limit),
            Condition::Is(index, value) => self.compare("eq", index, *value),
            Condition::And(left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                self.value(format!("arith.andi {left}, {right} : i1"))
            }
            Condition::Not(condition) => {
                let condition = self.condition(condition);
                let yes = self.value("arith.constant true");
                self.value(format!("arith.xori {condition}, {yes} : i1"))
            }
        }
    }

    fn compare(&mut self, predicate: &str, index: &Index, value: i64) -> String {
        let index = self.index(index);
        let value = self.constant(value);
        self.value(format!("arith.cmpi {predicate}, {index}, {value} : index"))
    }

    /// The type of a reference.
    pub fn reference(&self, reference: Reference) -> String {
        let window = self.kernel.threads;
        match reference {
            Reference::SharedMemref => {
                format!("memref<{window}xi32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>")
            }
            Reference::GlobalMemref => format!("memref<{window}xi32, strided<[1], offset: ?>>"),
            Reference::SharedPointer => "!llvm.ptr<3>".to_owned(),
            Reference::GlobalPointer => "!llvm.ptr<1>".to_owned(),
            Reference::GenericPointer => "!llvm.ptr".to_owned(),
            Reference::SharedTile => format!("!tile.buffer<{window}xi32, shared>"),
            Reference::GlobalTile => format!("!tile.buffer<{window}xi32, global>"),
        }
    }

    /// A value that refers to memory.
    pub fn memory(&mut self, memory: &Memory, reference: Reference) -> String {
        let r#type = self.reference(reference);
        match memory {
            Memory::Window(at, begin) => self.window(*at, begin, reference),
            Memory::Bound(number) => self.bound.get(number).cloned().unwrap_or_default(),
            Memory::Choice { branch: false, condition, then, otherwise } => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.memory(then, reference), self.memory(otherwise, reference));
                self.value(format!("arith.select {condition}, {then}, {otherwise} : {type}"))
            }
            Memory::Choice { branch: true, condition, then, otherwise } => {
                let condition = self.condition(condition);
                let result = self.value(format!("scf.if {condition} -> {type} {{"));
                for (arm, end) in [(then, "} else {"), (otherwise, "}")] {
                    self.depth += 1;
                    let arm = self.memory(arm, reference);
                    self.line(format!("scf.yield {arm} : {type}"));
                    self.depth -= 1;
                    self.line(end);
                }
                result
            }
            Memory::Moved { integer, from, by } => {
                let (from, by) = (self.memory(from, reference), self.index(by));
                let by = self.value(format!("arith.index_cast {by} : index to i64"));
                self.moved(&from, &by, *integer, &r#type)
            }
        }
    }

    /// A pointer some elements further.
    fn moved(&mut self, from: &str, by: &str, integer: bool, r#type: &str) -> String {
        if !integer {
            return self.value(format!("llvm.getelementptr {from}[{by}] : ({type}, i64) -> {type}, i32"));
        }
        let size = self.value("arith.constant 4 : i64");
        let bytes = self.value(format!("arith.muli {by}, {size} : i64"));
        let number = self.value(format!("llvm.ptrtoint {from} : {type} to i64"));
        let sum = self.value(format!("arith.addi {number}, {bytes} : i64"));
        self.value(format!("llvm.inttoptr {sum} : i64 to {type}"))
    }

    /// The part of a memory that begins at `begin`, in global memory at the block's own elements.
    fn window(&mut self, at: usize, begin: &Index, reference: Reference) -> String {
        let source = self.kernel.memories[at];
        let (elements, window) = (self.kernel.elements(), self.kernel.threads);
        let all = if source == Source::Argument { elements * self.kernel.blocks } else { elements };
        if reference == Reference::SharedMemref
            && let Index::Constant(begin) = begin
        {
            let r#type = self.reference(reference);
            let fixed = r#type.replace("offset: ?", &format!("offset: {begin}"));
            let part = format!("memref.subview %m{at}[{begin}] [{window}] [1] : {} to {fixed}", self.source(at));
            let part = self.value(part);
            return self.value(format!("memref.cast {part} : {fixed} to {type}"));
        }
        let mut begin = self.index(begin);
        if source == Source::Argument && self.kernel.blocks > 1 {
            let size = self.constant(elements);
            let first = self.value(format!("arith.muli %block, {size} : index"));
            begin = self.value(format!("arith.addi {first}, {begin} : index"));
        }
        if reference.is_pointer() {
            return self.pointer(at, &begin, reference);
        }
        let r#type = self.reference(reference);
        if reference.is_tile() {
            let space = if reference == Reference::SharedTile { "shared" } else { "global" };
            let whole = format!("!tile.buffer<{all}xi32, {space}>");
            let tile = match source {
                Source::Tile => format!("%m{at}"),
                _ => self.value(format!("tile.view %m{at} : {} to {whole}", self.source(at))),
            };
            return self.value(format!("tile.subview {tile}[{begin}] [{window}] : {whole} to {type}"));
        }
        self.value(format!("memref.subview %m{at}[{begin}] [{window}] [1] : {} to {type}", self.source(at)))
    }

    /// The type of a memory.
    pub fn source(&self, at: usize) -> String {
        let elements = self.kernel.elements();
        match self.kernel.memories[at] {
            Source::Workgroup => format!("memref<{elements}xi32, #gpu.address_space<workgroup>>"),
            Source::Tile => format!("!tile.buffer<{elements}xi32, shared>"),
            Source::Variable => "!llvm.ptr<3>".to_owned(),
            Source::Argument => format!("memref<{}xi32>", elements * self.kernel.blocks),
        }
    }

    /// A pointer to an element of a memory.
    fn pointer(&mut self, at: usize, begin: &str, reference: Reference) -> String {
        let (source, r#type) = (self.kernel.memories[at], self.source(at));
        let pointer_type = if source == Source::Argument { "!llvm.ptr<1>" } else { "!llvm.ptr<3>" };
        let first = match source {
            Source::Variable => self.value(format!("llvm.mlir.addressof @m{at} : {pointer_type}")),
            Source::Tile => self.value(format!("tile.parts %m{at} : {type} to {pointer_type}")),
            Source::Workgroup | Source::Argument => {
                let number = self.value(format!("memref.extract_aligned_pointer_as_index %m{at} : {type} -> index"));
                let number = self.value(format!("arith.index_cast {number} : index to i64"));
                self.value(format!("llvm.inttoptr {number} : i64 to {pointer_type}"))
            }
        };
        let begin = self.value(format!("arith.index_cast {begin} : index to i64"));
        let pointer = self.moved(&first, &begin, false, pointer_type);
        if reference == Reference::GenericPointer {
            return self.value(format!("llvm.addrspacecast {pointer} : {pointer_type} to !llvm.ptr"));
        }
        pointer
    }
}
