//! Random kernels: their statements. [`super::expressions`] has what the statements refer to.

use tile_oracle::Rng;

use super::ast::{
    Carried, Condition, Form, Index, Kernel, LoopKind, Memory, Reference, Region, Scope, Source, Statement,
};

/// How alike the threads are for which a value is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spread {
    /// All threads of a block.
    Uniform,
    /// The threads of a warp.
    Warp,
    /// None.
    Thread,
}

/// Loops and branches inside each other.
const DEPTH: usize = 3;
/// The most iterations of a loop.
const ITERATIONS: i64 = 4;

/// Kernel `number` of a seed.
pub fn kernel(seed: u64, number: u64) -> Kernel {
    let mut draw = Draw::new(Rng::new(seed ^ 0x006f_7264_6572, number));
    let count = 1 + draw.rng.below(6);
    let mut body = draw.start();
    body.extend(draw.statements(count, 0));
    draw.kernel.body = body;
    draw.kernel
}

/// A kernel that is being drawn.
pub struct Draw {
    pub rng: Rng,
    pub kernel: Kernel,
    /// The references that accesses of this kernel use.
    pub references: Vec<Reference>,
    /// What enclosing statements bind.
    pub bound: Vec<(usize, Reference)>,
    /// The loops around, and the most that their variables can be.
    pub variables: Vec<(usize, i64)>,
    /// One access in so many is not at the thread's own element.
    pub private: i64,
    /// Whether the threads of a store mostly write distinct elements.
    pub careful: bool,
    /// The branches and loops around in which threads differ.
    pub divergent: Spread,
    /// Whether branches of the cf dialect are drawn.
    unstructured: bool,
    /// Percent of statements that a barrier follows.
    barriers: i64,
    numbers: usize,
}

const ALL: [Reference; 7] = [
    Reference::SharedMemref,
    Reference::SharedTile,
    Reference::SharedPointer,
    Reference::GenericPointer,
    Reference::GlobalMemref,
    Reference::GlobalPointer,
    Reference::GlobalTile,
];

impl Draw {
    fn new(mut rng: Rng) -> Self {
        let threads = *rng.one_of(&[32, 64, 64, 64, 96, 128, 48]);
        let sources = [Source::Workgroup, Source::Workgroup, Source::Tile, Source::Variable, Source::Argument];
        // Kernels without shared memory and barriers are not analysed.
        let shared = *rng.one_of(&sources[..4]);
        let others = rng.below(3);
        let memories: Vec<Source> = [shared].into_iter().chain((0..others).map(|_| *rng.one_of(&sources))).collect();
        let fits = |reference: &Reference| memories.iter().any(|memory| reference.accepts(*memory));
        let mut references: Vec<Reference> = ALL.into_iter().filter(fits).collect();
        rng.shuffle(&mut references);
        references.truncate(1 + rng.below(3) as usize);
        let insert = rng.once_in(3);
        let kernel = Kernel {
            threads,
            blocks: 1 + i64::from(rng.once_in(4)),
            memories,
            number: rng.below(ITERATIONS),
            flag: rng.once_in(2),
            insert,
            body: Vec::new(),
        };
        let barriers = if insert { 0 } else { *rng.one_of(&[30, 60, 95, 95]) };
        let (private, unstructured) = (1 + rng.below(6), rng.once_in(12));
        let careful = !rng.once_in(5);
        let (bound, variables, divergent, numbers) = (Vec::new(), Vec::new(), Spread::Uniform, 0);
        Draw { rng, kernel, references, bound, variables, private, careful, divergent, unstructured, barriers, numbers }
    }

    /// A new number, of a statement, a binding or a loop.
    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    /// Values for all memories; the host initializes arguments.
    fn start(&mut self) -> Vec<Statement> {
        let shared = |at: &usize| self.kernel.memories[*at] != Source::Argument;
        let mut body: Vec<_> = (0..self.kernel.memories.len()).filter(shared).map(Statement::Initialize).collect();
        if !self.kernel.insert && !body.is_empty() && !self.rng.once_in(20) {
            body.push(Statement::Barrier);
        }
        body
    }

    fn statements(&mut self, count: i64, depth: usize) -> Vec<Statement> {
        let mut body = Vec::new();
        for _ in 0..count {
            let statement = self.statement(depth);
            body.extend(statement);
            if self.rng.below(100) < self.barriers && self.suits() {
                body.push(self.barrier());
            }
        }
        body
    }

    /// Whether a barrier is drawn here: mostly not where threads differ.
    fn suits(&mut self) -> bool {
        self.divergent == Spread::Uniform || self.rng.once_in(12)
    }

    fn barrier(&mut self) -> Statement {
        let warps = self.divergent != Spread::Uniform || self.rng.once_in(8);
        let threads = self.kernel.threads;
        match self.rng.below(24) {
            0 => Statement::Named(*self.rng.one_of(&[1, 2, 15, 16]), *self.rng.one_of(&[threads, 32, 64, 33])),
            1..=3 => Statement::Named(1 + self.rng.below(2), threads),
            4 if warps => Statement::WarpBarrier(*self.rng.one_of(&[0xffff, 1, -65536])),
            _ if warps => Statement::WarpBarrier(-1),
            _ => Statement::Barrier,
        }
    }

    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        let nested = depth < DEPTH;
        let last = match self.rng.below(100) {
            0..=7 => self.copy(),
            8..=11 if self.references.iter().any(|reference| reference.is_tile()) => self.fill(),
            12..=15 if self.refers(Reference::SharedPointer) => return self.copy_async(),
            // Mostly where no lanes are elsewhere.
            16 if self.divergent < Spread::Thread || self.rng.once_in(4) => Statement::Shuffle(self.number()),
            17..=25 if nested => self.branch(depth),
            26..=27 if nested => self.switch(depth),
            28..=29 if nested => Statement::Region(self.statements(2, depth + 1)),
            30..=43 if nested => self.bind(depth),
            44..=57 if nested && self.variables.len() < 2 => self.repeat(depth),
            _ => self.access(),
        };
        vec![last]
    }

    fn refers(&self, reference: Reference) -> bool {
        self.references.contains(&reference)
    }

    fn access(&mut self) -> Statement {
        let plain: Vec<Reference> = self.references.iter().copied().filter(|reference| !reference.is_tile()).collect();
        if plain.is_empty() {
            return self.copy();
        }
        let reference = *self.rng.one_of(&plain);
        let forms = [Form::Plain, Form::Plain, Form::Plain, Form::Affine, Form::Pair, Form::Transfer, Form::Atomic];
        let mut form = *self.rng.one_of(&forms);
        let store = form == Form::Atomic || self.rng.once_in(2);
        let careful = store && form != Form::Atomic && self.careful && !self.rng.once_in(20);
        if careful && matches!(form, Form::Pair | Form::Transfer) && !(reference.is_pointer() && form == Form::Transfer)
        {
            form = Form::Plain;
        }
        let pair = form == Form::Pair || form == Form::Transfer && !reference.is_pointer();
        let memory = self.memory(reference, true);
        let limit = self.kernel.threads - i64::from(pair);
        let index = if careful { self.distinct() } else { self.element(limit) };
        let one = matches!(index, Index::Constant(_) | Index::Variable(..)) && careful;
        let access = Statement::Access { store, form, reference, memory, index, number: self.number() };
        if one {
            let thread = Condition::Is(Index::Thread, self.rng.below(self.kernel.threads));
            return Statement::If(thread, vec![access], Vec::new());
        }
        access
    }

    /// An element of each thread's own, or one that a single thread may access.
    fn distinct(&mut self) -> Index {
        let thread = || Box::new(Index::Thread);
        match self.rng.below(10) {
            0 => Index::Difference(self.kernel.threads - 1, thread()),
            1 => Index::Xor(thread(), 1 << self.rng.below(4)),
            2 | 3 => self.index(ITERATIONS, Spread::Uniform, 2),
            4 => {
                let sum =
                    Box::new(Index::Sum(thread(), Box::new(Index::Constant(self.rng.below(self.kernel.threads)))));
                Index::Remainder(sum, self.kernel.threads)
            }
            _ => Index::Thread,
        }
    }

    /// Mostly the thread's own element.
    fn element(&mut self, limit: i64) -> Index {
        if limit >= self.kernel.threads && !self.rng.once_in(self.private) {
            return Index::Thread;
        }
        self.index(limit, Spread::Thread, 0)
    }

    /// A region that `scope` has in common, of `count` elements.
    fn region(&mut self, scope: Scope, count: i64) -> Option<Region> {
        let tiles: Vec<Reference> = self.references.iter().copied().filter(|reference| reference.is_tile()).collect();
        let reference = (!tiles.is_empty()).then(|| *self.rng.one_of(&tiles))?;
        let memory = self.memory(reference, true);
        let begin = match scope {
            Scope::Block => self.index(self.kernel.threads - count + 1, Spread::Uniform, 0),
            // Each warp its own part.
            Scope::Warp if !self.rng.once_in(self.private) && self.kernel.threads % 32 == 0 => {
                Index::Times(Box::new(Index::Quotient(Box::new(Index::Thread), 32)), 32)
            }
            Scope::Warp => self.index(self.kernel.threads - count + 1, Spread::Warp, 0),
            Scope::Thread if count == 1 => self.element(self.kernel.threads),
            Scope::Thread => self.index(self.kernel.threads - count + 1, Spread::Thread, 0),
        };
        Some(Region { reference, memory, begin })
    }

    fn scope(&mut self) -> (Scope, i64) {
        match self.rng.below(6) {
            0 => (Scope::Thread, *self.rng.one_of(&[1, 1, 2])),
            1 | 2 => (Scope::Warp, 32),
            _ => (Scope::Block, self.kernel.threads),
        }
    }

    fn copy(&mut self) -> Statement {
        let (scope, count) = self.scope();
        let Some(from) = self.region(scope, count) else { return self.access() };
        let to = if self.rng.once_in(3) { None } else { self.region(scope, count) };
        // Regions of one copy must not overlap.
        let apart = |to: &Region| to.reference != from.reference;
        let to = to.filter(|to| apart(to) || self.rng.once_in(4));
        let loads = |to: &Region| from.reference == Reference::GlobalTile && to.reference == Reference::SharedTile;
        let asynchronous = to.as_ref().is_some_and(loads) && self.rng.once_in(2);
        Statement::Copy { scope, count, from, to, asynchronous, number: self.number() }
    }

    fn fill(&mut self) -> Statement {
        let (scope, count) = self.scope();
        match self.region(scope, count) {
            Some(region) => Statement::Fill(scope, count, region),
            None => self.access(),
        }
    }

    fn copy_async(&mut self) -> Vec<Statement> {
        let memory = self.memory(Reference::SharedPointer, true);
        let memory = Memory::Moved { integer: false, from: Box::new(memory), by: Box::new(Index::Thread) };
        let mut all = vec![Statement::CopyAsync(memory, self.element(self.kernel.threads))];
        if !self.kernel.insert && !self.rng.once_in(10) {
            all.push(Statement::Commit);
            all.extend((!self.rng.once_in(4)).then_some(Statement::Wait(0)));
        }
        all
    }

    /// How threads differ at a branch or a loop.
    fn spread(&mut self) -> Spread {
        match self.rng.below(10) {
            0..=4 => Spread::Uniform,
            5..=6 => Spread::Warp,
            _ => Spread::Thread,
        }
    }

    /// Draws inside a branch or a loop at which threads differ.
    fn within<R>(&mut self, spread: Spread, draw: impl FnOnce(&mut Self) -> R) -> R {
        let around = self.divergent;
        self.divergent = around.max(spread);
        let drawn = draw(self);
        self.divergent = around;
        drawn
    }

    fn branch(&mut self, depth: usize) -> Statement {
        if self.divergent < Spread::Thread && self.rng.once_in(6) {
            let then = self.within(Spread::Thread, |draw| draw.statements(1, depth + 1));
            return Statement::If(Condition::Elected, then, Vec::new());
        }
        let spread = self.spread();
        let condition = self.condition(spread, 0);
        let (then, otherwise) = self.within(spread, |draw| {
            let count = 1 + draw.rng.below(2);
            let then = draw.statements(count, depth + 1);
            (then, if draw.rng.once_in(3) { draw.statements(1, depth + 1) } else { Vec::new() })
        });
        match self.unstructured && self.rng.once_in(2) {
            true => Statement::Branch(condition, then, otherwise),
            false => Statement::If(condition, then, otherwise),
        }
    }

    fn switch(&mut self, depth: usize) -> Statement {
        let spread = self.spread();
        let on = self.index(3, spread, 0);
        let cases = self.within(spread, |draw| (0..3).map(|_| draw.statements(1, depth + 1)).collect());
        Statement::Switch(on, cases)
    }

    fn bind(&mut self, depth: usize) -> Statement {
        let reference = *self.rng.one_of(&self.references);
        let memory = self.memory(reference, false);
        let number = self.number();
        self.bound.push((number, reference));
        let count = 2 + self.rng.below(3);
        let body = self.statements(count, depth + 1);
        self.bound.pop();
        Statement::Bind { number, reference, memory, body }
    }

    fn repeat(&mut self, depth: usize) -> Statement {
        let spread = self.spread();
        let end = self.index(ITERATIONS, spread, 0);
        let end = if self.rng.once_in(2) { Index::Sum(Box::new(end), Box::new(Index::Constant(1))) } else { end };
        let variable = self.number();
        let kind = match self.rng.below(10) {
            0..=1 => LoopKind::While,
            2..=5 if self.unstructured => LoopKind::Branches,
            _ => LoopKind::For,
        };
        let reference = *self.rng.one_of(&self.references);
        let first = self.rng.once_in(2).then(|| self.memory(reference, false));
        let carried = first.map(|first| (self.number(), first));
        self.variables.push((variable, end.most(self.kernel.threads, self.kernel.blocks) - 1));
        self.bound.extend(carried.iter().map(|(number, _)| (*number, reference)));
        let (body, carried) = self.within(spread, |draw| {
            let count = 1 + draw.rng.below(3);
            let body = draw.statements(count, depth + 1);
            let carried = carried.map(|(number, first)| {
                let next = draw.next(number, reference);
                Carried { number, reference, first, next }
            });
            (body, carried)
        });
        self.bound.truncate(self.bound.len() - usize::from(carried.is_some()));
        self.variables.pop();
        Statement::Loop { kind, variable, end, carried, body }
    }

    /// What a loop carries on.
    fn next(&mut self, number: usize, reference: Reference) -> Memory {
        let bound = Memory::Bound(number);
        match self.rng.below(4) {
            0 if reference.is_pointer() => {
                let by = Box::new(self.index(self.kernel.threads / 8, Spread::Thread, 1));
                Memory::Moved { integer: self.rng.once_in(2), from: Box::new(bound), by }
            }
            0 | 1 => Memory::Choice {
                branch: self.rng.once_in(2),
                condition: Box::new(self.condition(Spread::Thread, 1)),
                then: Box::new(bound),
                otherwise: Box::new(self.memory(reference, false)),
            },
            _ => self.memory(reference, false),
        }
    }
}
