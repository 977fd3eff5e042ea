//! The statements of a kernel as MLIR.

use super::ast::{Carried, Condition, Index, LoopKind, Reference, Region, Scope, Statement};
use super::text::Writer;

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
            Statement::Shuffle(number) => {
                let value = self.stored(*number, "i32");
                let lane = self.value("arith.constant 1 : i32");
                let width = self.value("arith.constant 32 : i32");
                let (other, valid) = (self.name(), self.name());
                self.line(format!("%{other}, %{valid} = gpu.shuffle xor {value}, {lane}, {width} : i32"));
                self.keep(&format!("%{other}"), "i32", *number);
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
