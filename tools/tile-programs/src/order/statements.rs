//! The statements of a kernel as MLIR.

use super::ast::{Carried, Condition, Form, Index, LoopKind, Memory, Reference, Region, Scope, Source, Statement};
use super::text::{RESULTS, Writer};

impl Writer<'_> {
    /// Prints statements.
    pub fn statements(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Access { store, form, reference, memory, index, number } => {
                if let Some((memory, r#type, index)) = self.whole(memory, *reference, index) {
                    return self.memref_access(*store, *form, (&memory, &r#type), &index, *number);
                }
                let memory = self.memory(memory, *reference);
                let r#type = self.reference(*reference);
                match reference.is_pointer() {
                    true => self.pointer_access(*store, *form, (&memory, &r#type), index, *number),
                    false => self.memref_access(*store, *form, (&memory, &r#type), index, *number),
                }
            }
            Statement::Initialize(at) => self.initialize(*at),
            Statement::Copy { scope, count, from, to, asynchronous, number } => {
                self.copy(*scope, *count, from, (to.as_ref(), *asynchronous), *number);
            }
            Statement::Fill(scope, count, region) => {
                let region = self.region(region, *count);
                let value = self.value("arith.constant 7 : i32");
                self.line(format!("tile.fill {value} to {} scope({}) : i32 to {}", region.0, name(*scope), region.1));
            }
            Statement::CopyAsync(memory, at) => {
                let to = self.memory(memory, Reference::SharedPointer);
                let at = self.index(at);
                let table = format!("memref<{}xi32>", self.kernel.threads);
                let first = self.value(format!("memref.extract_aligned_pointer_as_index %table : {table} -> index"));
                let first = self.value(format!("arith.index_cast {first} : index to i64"));
                let first = self.value(format!("llvm.inttoptr {first} : i64 to !llvm.ptr<1>"));
                let at = self.value(format!("arith.index_cast {at} : index to i64"));
                let from =
                    self.value(format!("llvm.getelementptr {first}[{at}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32"));
                self.line(format!(
                    "nvvm.cp.async.shared.global {to}, {from}, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>"
                ));
            }
            Statement::Commit => self.line("nvvm.cp.async.commit.group"),
            Statement::Wait(left) => self.line(format!("nvvm.cp.async.wait.group {left}")),
            Statement::Barrier => self.line("gpu.barrier"),
            Statement::Named(number, threads) => {
                let number = self.value(format!("arith.constant {number} : i32"));
                let threads = self.value(format!("arith.constant {threads} : i32"));
                self.line(format!("nvvm.barrier id = {number} number_of_threads = {threads}"));
            }
            Statement::WarpBarrier(mask) => {
                let mask = self.value(format!("arith.constant {mask} : i32"));
                self.line(format!("nvvm.bar.warp.sync {mask} : i32"));
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                self.line(format!("scf.if {condition} {{"));
                self.inside(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.inside(otherwise);
                }
                self.line("}");
            }
            Statement::Branch(condition, then, otherwise) => self.in_blocks(|writer| {
                writer.branch(condition, then, otherwise);
            }),
            Statement::Switch(on, cases) => self.switch(on, cases),
            Statement::Region(body) => {
                self.line("scf.execute_region {");
                let single = std::mem::replace(&mut self.single_block, false);
                self.indented(|writer| {
                    writer.statements(body);
                    writer.line("scf.yield");
                });
                self.single_block = single;
                self.line("}");
            }
            Statement::Bind { number, reference, memory, body } => {
                let memory = self.memory(memory, *reference);
                self.bound.insert(*number, memory);
                self.statements(body);
            }
            Statement::Loop { kind, variable, end, carried, body } => match kind {
                LoopKind::For => self.counted(*variable, end, carried.as_ref(), body),
                LoopKind::While => self.conditional(*variable, end, carried.as_ref(), body),
                LoopKind::Branches => {
                    self.in_blocks(|writer| writer.branches(*variable, end, carried.as_ref(), body));
                }
            },
        }
    }

    fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// Prints the statements of a region of one block.
    fn inside(&mut self, body: &[Statement]) {
        let single = std::mem::replace(&mut self.single_block, true);
        self.indented(|writer| writer.statements(body));
        self.single_block = single;
    }

    /// Prints something that has several blocks.
    fn in_blocks(&mut self, write: impl FnOnce(&mut Self)) {
        if !self.single_block {
            return write(self);
        }
        self.line("scf.execute_region {");
        self.single_block = false;
        self.indented(|writer| {
            write(writer);
            writer.line("scf.yield");
        });
        self.single_block = true;
        self.line("}");
    }

    fn branch(&mut self, condition: &Condition, then: &[Statement], otherwise: &[Statement]) {
        let condition = self.condition(condition);
        let [yes, no, after] = [self.name(), self.name(), self.name()];
        self.line(format!("cf.cond_br {condition}, ^{yes}, ^{no}"));
        for (block, body) in [(yes, then), (no, otherwise)] {
            self.line(format!("^{block}:"));
            self.statements(body);
            self.line(format!("cf.br ^{after}"));
        }
        self.line(format!("^{after}:"));
    }

    fn switch(&mut self, on: &Index, cases: &[Vec<Statement>]) {
        let on = self.index(on);
        self.line(format!("scf.index_switch {on}"));
        let last = cases.len().saturating_sub(1);
        for (case, body) in cases.iter().enumerate() {
            self.line(if case == last { "default {".to_owned() } else { format!("case {case} {{") });
            self.inside(body);
            self.indented(|writer| writer.line("scf.yield"));
            self.line("}");
        }
    }

    fn counted(&mut self, variable: usize, end: &Index, carried: Option<&Carried>, body: &[Statement]) {
        let end = self.index(end);
        let name = format!("%{}", self.name());
        self.variables.insert(variable, name.clone());
        let Some(carried) = carried else {
            self.line(format!("scf.for {name} = %c0 to {end} step %c1 {{"));
            self.inside(body);
            return self.line("}");
        };
        let r#type = self.reference(carried.reference);
        let first = self.memory(&carried.first, carried.reference);
        let current = format!("%{}", self.name());
        self.bound.insert(carried.number, current.clone());
        self.value(format!("scf.for {name} = %c0 to {end} step %c1 iter_args({current} = {first}) -> ({type}) {{"));
        self.inside(body);
        self.indented(|writer| {
            let next = writer.memory(&carried.next, carried.reference);
            writer.line(format!("scf.yield {next} : {type}"));
        });
        self.line("}");
    }

    fn conditional(&mut self, variable: usize, end: &Index, carried: Option<&Carried>, body: &[Statement]) {
        let end = self.index(end);
        let [count, name] = [self.name(), self.name()].map(|name| format!("%{name}"));
        let (mut starts, mut types, mut values, mut inner) =
            (format!("{count} = %c0"), "index".to_owned(), count.clone(), format!("{name}: index"));
        let mut results = 1;
        if let Some(carried) = carried {
            let first = self.memory(&carried.first, carried.reference);
            let r#type = self.reference(carried.reference);
            let [before, within] = [self.name(), self.name()].map(|name| format!("%{name}"));
            starts += &format!(", {before} = {first}");
            types += &format!(", {type}");
            values += &format!(", {before}");
            inner += &format!(", {within}: {type}");
            self.bound.insert(carried.number, within);
            results = 2;
        }
        self.variables.insert(variable, name.clone());
        let result = self.name();
        self.line(format!("%{result}:{results} = scf.while ({starts}) : ({types}) -> ({types}) {{"));
        self.indented(|writer| {
            let again = writer.value(format!("arith.cmpi ult, {count}, {end} : index"));
            writer.line(format!("scf.condition({again}) {values} : {types}"));
        });
        self.line("} do {");
        self.line(format!("^body({inner}):"));
        self.inside(body);
        self.indented(|writer| {
            let mut next = writer.value(format!("arith.addi {name}, %c1 : index"));
            if let Some(carried) = carried {
                next += &format!(", {}", writer.memory(&carried.next, carried.reference));
            }
            writer.line(format!("scf.yield {next} : {types}"));
        });
        self.line("}");
    }

    fn branches(&mut self, variable: usize, end: &Index, carried: Option<&Carried>, body: &[Statement]) {
        let end = self.index(end);
        let [head, inside, after, name] = [self.name(), self.name(), self.name(), self.name()];
        let (mut arguments, mut types, mut parameters) =
            ("%c0".to_owned(), "index".to_owned(), format!("%{name}: index"));
        if let Some(carried) = carried {
            let first = self.memory(&carried.first, carried.reference);
            let (r#type, current) = (self.reference(carried.reference), self.name());
            arguments += &format!(", {first}");
            types += &format!(", {type}");
            parameters += &format!(", %{current}: {type}");
            self.bound.insert(carried.number, format!("%{current}"));
        }
        self.variables.insert(variable, format!("%{name}"));
        self.line(format!("cf.br ^{head}({arguments} : {types})"));
        self.line(format!("^{head}({parameters}):"));
        let again = self.value(format!("arith.cmpi ult, %{name}, {end} : index"));
        self.line(format!("cf.cond_br {again}, ^{inside}, ^{after}"));
        self.line(format!("^{inside}:"));
        self.statements(body);
        let mut next = self.value(format!("arith.addi %{name}, %c1 : index"));
        if let Some(carried) = carried {
            next += &format!(", {}", self.memory(&carried.next, carried.reference));
        }
        self.line(format!("cf.br ^{head}({next} : {types})"));
        self.line(format!("^{after}:"));
    }

    /// The first of the results of statement `number` that belongs to the thread, or, if `shared`, to the block.
    fn result(&mut self, number: usize, shared: bool) -> String {
        let size = RESULTS * self.kernel.threads;
        let first = self.constant(number as i64 * self.kernel.blocks * size);
        let size = self.constant(size);
        let own = self.value(format!("arith.muli %block, {size} : index"));
        let first = self.value(format!("arith.addi {first}, {own} : index"));
        if shared {
            return first;
        }
        let each = self.constant(RESULTS);
        let own = self.value(format!("arith.muli %t, {each} : index"));
        self.value(format!("arith.addi {first}, {own} : index"))
    }

    /// The type of the results.
    fn results(&self) -> (i64, String) {
        let count = super::text::numbers(self.kernel) * self.kernel.blocks * RESULTS * self.kernel.threads;
        (count.max(1), format!("memref<{}xi32>", count.max(1)))
    }

    /// What statement `number` stores, which depends on the thread.
    fn stored(&mut self, number: usize, r#type: &str) -> String {
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
    fn keep(&mut self, value: &str, r#type: &str, number: usize) {
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

    fn memref_access(&mut self, store: bool, form: Form, (memory, whole): (&str, &str), index: &Index, number: usize) {
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

    fn pointer_access(
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
    fn whole(&self, memory: &Memory, reference: Reference, index: &Index) -> Option<(String, String, Index)> {
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

    fn initialize(&mut self, at: usize) {
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

    /// A region, and the type of its tile.
    fn region(&mut self, region: &Region, count: i64) -> (String, String) {
        let memory = self.memory(&region.memory, region.reference);
        let begin = self.index(&region.begin);
        (format!("{memory}[{begin}] [{count}]"), self.reference(region.reference))
    }

    fn copy(
        &mut self,
        scope: Scope,
        count: i64,
        from: &Region,
        (to, asynchronous): (Option<&Region>, bool),
        number: usize,
    ) {
        let scope = (scope, name(scope));
        let from = self.region(from, count);
        if let Some(to) = to {
            let to = self.region(to, count);
            let (operation, group) = if asynchronous { ("copy_async", " group") } else { ("copy", "") };
            return self.line(format!(
                "tile.{operation} {} to {} scope({}){group} : {} to {}",
                from.0, to.0, scope.1, from.1, to.1
            ));
        }
        let layout = match scope.0 {
            Scope::Thread => String::new(),
            Scope::Warp => format!(", #tile.layout<({count}) : (1@laneid)>"),
            Scope::Block => format!(", #tile.layout<({count}) : (1@tx)>"),
        };
        let registers = format!("!tile.buffer<{count}xi32, local{layout}>");
        let tile = self.value(format!("tile.alloc : {registers}"));
        self.line(format!("tile.copy {} to {tile} scope({}) : {} to {registers}", from.0, scope.1, from.1));
        let mut at = self.result(number, scope.0 != Scope::Thread);
        if scope.0 == Scope::Warp {
            let warp = self.index(&Index::Times(Box::new(Index::Quotient(Box::new(Index::Thread), 32)), 32));
            at = self.value(format!("arith.addi {at}, {warp} : index"));
        }
        let (all, r#type) = self.results();
        let results = format!("!tile.buffer<{all}xi32, global>");
        let view = self.value(format!("tile.view %results : {type} to {results}"));
        self.line(format!("tile.copy {tile} to {view}[{at}] [{count}] scope({}) : {registers} to {results}", scope.1));
    }
}

/// The word of a scope.
fn name(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread => "thread",
        Scope::Warp => "warp",
        Scope::Block => "cta",
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
