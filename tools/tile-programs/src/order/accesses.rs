//! Loads and stores, and where loads leave their values.

use super::ast::{Form, Index, Memory, Reference, Source};
use super::text::{RESULTS, Writer, results};

impl Writer<'_> {
    /// The first of the results of statement `number` that belongs to the thread, or, if `shared`, to the block.
    pub fn result(&mut self, number: usize, shared: bool) -> String {
        let size = RESULTS * self.kernel.threads;
        let first = self.constant(number as i64 * self.kernel.blocks * size);
        let size = self.constant(size);
        let block = self.value(format!("arith.muli %block, {size} : index"));
        let first = self.value(format!("arith.addi {first}, {block} : index"));
        if shared {
            return first;
        }
        let each = self.constant(RESULTS);
        let thread = self.value(format!("arith.muli %t, {each} : index"));
        self.value(format!("arith.addi {first}, {thread} : index"))
    }

    /// The number of elements of the results, and their type.
    pub fn results(&self) -> (i64, String) {
        let count = results(self.kernel);
        (count, format!("memref<{count}xi32>"))
    }

    /// What statement `number` stores, which depends on the thread.
    pub fn stored(&mut self, number: usize, r#type: &str) -> String {
        let number = self.value(format!("arith.constant {} : i32", 1000 * (number + 1)));
        let value = self.value(format!("arith.addi %ti, {number} : i32"));
        match r#type {
            "i32" => value,
            "i64" => self.value(format!("arith.extui {value} : i32 to i64")),
            "vector<2xi32>" => self.value(format!("vector.broadcast {value} : i32 to {type}")),
            _ => self.value(format!("arith.trunci {value} : i32 to {type}")),
        }
    }

    /// Keeps a loaded value.
    pub fn keep(&mut self, value: &str, r#type: &str, number: usize) {
        let at = self.result(number, false);
        let results = self.results().1;
        if r#type == "vector<2xi32>" {
            return self.line(format!("vector.store {value}, %results[{at}] : {results}, {type}"));
        }
        let value = match r#type {
            "i32" => value.to_owned(),
            "i64" => self.value(format!("arith.trunci {value} : i64 to i32")),
            _ => self.value(format!("arith.extui {value} : {type} to i32")),
        };
        self.line(format!("memref.store {value}, %results[{at}] : {results}"));
    }

    /// A load or a store of a memref of type `whole`.
    pub fn memref_access(
        &mut self,
        store: bool,
        form: Form,
        (memory, whole): (&str, &str),
        index: &Index,
        number: usize,
    ) {
        let affine = affine(index).filter(|_| form == Form::Affine);
        let at = affine.clone().unwrap_or_else(|| self.index(index));
        let r#type = if matches!(form, Form::Pair | Form::Transfer) { "vector<2xi32>" } else { "i32" };
        if store {
            let value = self.stored(number, r#type);
            let line = match form {
                Form::Affine if affine.is_some() => format!("affine.store {value}, {memory}[{at}] : {whole}"),
                Form::Plain | Form::Affine => format!("memref.store {value}, {memory}[{at}] : {whole}"),
                Form::Pair => format!("vector.store {value}, {memory}[{at}] : {whole}, {type}"),
                Form::Transfer => {
                    format!("vector.transfer_write {value}, {memory}[{at}] {{in_bounds = [true]}} : {type}, {whole}")
                }
                Form::Atomic => {
                    self.value(format!("memref.atomic_rmw addi {value}, {memory}[{at}] : (i32, {whole}) -> i32"));
                    return;
                }
            };
            return self.line(line);
        }
        let value = match form {
            Form::Affine if affine.is_some() => self.value(format!("affine.load {memory}[{at}] : {whole}")),
            Form::Plain | Form::Affine | Form::Atomic => self.value(format!("memref.load {memory}[{at}] : {whole}")),
            Form::Pair => self.value(format!("vector.load {memory}[{at}] : {whole}, {type}")),
            Form::Transfer => {
                let padding = self.value("arith.constant 0 : i32");
                self.value(format!(
                    "vector.transfer_read {memory}[{at}], {padding} {{in_bounds = [true]}} : {whole}, {type}"
                ))
            }
        };
        self.keep(&value, r#type, number);
    }

    /// A load or a store through a pointer of type `pointer`.
    pub fn pointer_access(
        &mut self,
        store: bool,
        form: Form,
        (memory, pointer): (&str, &str),
        index: &Index,
        number: usize,
    ) {
        let at = self.index(index);
        let at = self.value(format!("arith.index_cast {at} : index to i64"));
        let to = self.value(format!("llvm.getelementptr {memory}[{at}] : ({pointer}, i64) -> {pointer}, i32"));
        let r#type = match form {
            Form::Plain | Form::Atomic => "i32",
            Form::Affine => "i8",
            Form::Pair => "i64",
            Form::Transfer => "i16",
        };
        // Pairs may begin at any element.
        let aligned = if form == Form::Pair { " {alignment = 4 : i64}" } else { "" };
        if !store {
            let value = self.value(format!("llvm.load {to}{aligned} : {pointer} -> {type}"));
            return self.keep(&value, r#type, number);
        }
        let value = self.stored(number, r#type);
        if form == Form::Atomic {
            self.value(format!("llvm.atomicrmw add {to}, {value} monotonic : {pointer}, i32"));
            return;
        }
        self.line(format!("llvm.store {value}, {to}{aligned} : {type}, {pointer}"));
    }

    /// The memref that a window is part of, its type, and an index as one of the memref.
    pub fn whole(&self, memory: &Memory, reference: Reference, index: &Index) -> Option<(String, String, Index)> {
        let Memory::Window(at, begin) = memory else { return None };
        if !matches!(reference, Reference::SharedMemref | Reference::GlobalMemref) {
            return None;
        }
        let sum = |left: Index, right: Index| Index::Sum(Box::new(left), Box::new(right));
        let mut index =
            if **begin == Index::Constant(0) { index.clone() } else { sum((**begin).clone(), index.clone()) };
        if reference == Reference::GlobalMemref && self.kernel.blocks > 1 {
            index = sum(Index::Times(Box::new(Index::Block), self.kernel.elements()), index);
        }
        Some((format!("%m{at}"), self.source(*at), index))
    }

    /// Writes all elements of a memory.
    pub fn initialize(&mut self, at: usize) {
        let source = self.kernel.memories[at];
        if source == Source::Tile {
            let value = self.value("arith.constant 5 : i32");
            return self.line(format!("tile.fill {value} to %m{at} scope(cta) : i32 to {}", self.source(at)));
        }
        for part in 0..self.kernel.elements() / self.kernel.threads {
            let begin = Index::Constant(part * self.kernel.threads);
            let index = Index::Sum(Box::new(Index::Thread), Box::new(begin));
            if source == Source::Variable {
                let memory = self.memory(&Memory::Window(at, Box::new(Index::Constant(0))), Reference::SharedPointer);
                self.pointer_access(true, Form::Plain, (&memory, "!llvm.ptr<3>"), &index, 0);
            } else {
                self.memref_access(true, Form::Plain, (&format!("%m{at}"), &self.source(at)), &index, 0);
            }
        }
    }
}

/// A number as an affine expression of values that the kernel defines at its start.
fn affine(index: &Index) -> Option<String> {
    Some(match index {
        Index::Constant(value) => value.to_string(),
        Index::Thread => "%t".to_owned(),
        Index::Block => "%block".to_owned(),
        Index::Number => "%n".to_owned(),
        Index::Sum(left, right) => format!("({} + {})", affine(left)?, affine(right)?),
        Index::Difference(left, right) => format!("({left} - {})", affine(right)?),
        Index::Times(left, right) => format!("({} * {right})", affine(left)?),
        Index::Quotient(left, right) => format!("({} floordiv {right})", affine(left)?),
        Index::Remainder(left, right) => format!("({} mod {right})", affine(left)?),
        _ => return None,
    })
}
