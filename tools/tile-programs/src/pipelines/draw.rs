//! Draws kernels: their loops, and what is around them. [`super::body`] draws what loops contain.

use tile_oracle::Rng;

use super::bounds::{Bounds, LASTING};
use super::kernel::Kernel;
use crate::writing::Lines;

/// A tile in shared memory.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Its name.
    pub name: String,
    /// Its type.
    pub buffer: String,
    /// Whether copies to it are in bulk.
    pub in_bulk: bool,
    /// Whether its elements lie one after the other.
    pub is_dense: bool,
}

/// The threads that execute a loop, and how they divide the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// All threads of the block have all tiles in common.
    Block,
    /// Each warp copies rows of its own.
    Warps,
    /// A single warp.
    Warp,
}

/// A kernel that is being drawn.
pub struct Draw {
    pub rng: Rng,
    pub kernel: Kernel,
    pub lines: Lines,
    pub form: Form,
    /// Percent of tiles that are copied in bulk.
    bulk: i64,
    /// Whether a loop that is alone in the kernel has a producer, where all its copies are in bulk.
    produces: bool,
    /// The variable of the loop around, if there is one.
    lap: Option<String>,
}

/// Which kernel is drawn from a seed and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Whether no loop requests stages; otherwise the kernel is the same.
    pub plain: bool,
    /// Whether all loops are executed, more often than they have stages, so that each stage is released and reused.
    pub lasting: bool,
}

/// Kernel number `number` of a seed.
pub fn kernel(seed: u64, number: u64, form: Form) -> Kernel {
    let mut rng = Rng::new(seed, number);
    let kernel = Kernel::new(&mut rng, form.lasting);
    let bulk = *rng.one_of(&[0, 0, 70, 100]);
    let produces = bulk == 100 && kernel.threads == 128 && rng.once_in(2);
    let mut draw = Draw { rng, kernel, lines: Lines::default(), form, bulk, produces, lap: None };
    draw.body();
    draw.kernel.body = draw.lines.text;
    draw.kernel
}

impl Draw {
    /// A number that is a constant, or an argument.
    fn number(&mut self, value: i64) -> String {
        if !self.rng.once_in(3) {
            return self.lines.constant(value);
        }
        self.kernel.numbers.push(value);
        format!("%n{}", self.kernel.numbers.len() - 1)
    }

    /// The word of an asynchronous copy to a tile, and its attributes.
    pub fn completion(&self, tile: &Tile) -> (&'static str, &'static str) {
        if tile.in_bulk && !self.form.plain { ("", " {variant = \"bulk\"}") } else { (" group", "") }
    }

    fn tile(&mut self, threads: Threads) -> Tile {
        let [rows, columns] = self.kernel.shape;
        // Bulk copies cannot be masked; under conditions on threads, their mbarriers are rarely followed.
        let fits = !self.kernel.exceeds() && (threads == Threads::Block || self.rng.once_in(4));
        let in_bulk = self.rng.below(100) < self.bulk && fits;
        let mut layouts =
            vec![String::new(), String::new(), format!(", #tile.layout<({rows}, {columns}) : ({}, 1)>", columns + 8)];
        if self.kernel.element.bytes(0).len() == 4 && !in_bulk {
            layouts.push(format!(", #tile.layout<({rows}, {columns}) : (1, {rows})>"));
        }
        if columns >= 64 && threads == Threads::Block {
            layouts.push(format!(
                ", #tile.layout<({rows}, {columns}) : ({columns}, 1), swizzle<base = 3, bits = 3, shift = 3>>"
            ));
        }
        let layout = self.rng.one_of(&layouts).clone();
        let buffer = format!("!tile.buffer<{rows}x{columns}x{}, shared{layout}>", self.kernel.element.name());
        let name = self.lines.name();
        self.kernel.allocations += &format!("    {name} = tile.alloc : {buffer}\n");
        Tile { name, buffer, in_bulk, is_dense: layout.is_empty() }
    }

    fn body(&mut self) {
        match self.rng.below(12) {
            _ if self.produces => drop(self.repeat(Threads::Block, None)),
            0..=2 => drop(self.repeat(Threads::Block, None)),
            3 => {
                self.repeat(Threads::Block, None);
                self.repeat(Threads::Block, None);
            }
            4 => {
                let tiles = self.repeat(Threads::Block, None);
                self.repeat(Threads::Block, Some(tiles));
            }
            5..=7 => {
                let laps = if self.form.lasting { 2 + self.rng.below(2) } else { self.rng.below(4) };
                let (end, variable) = (self.number(laps), self.lines.name());
                let loops = 1 + self.rng.below(2);
                self.within(format!("scf.for {variable} = %c0 to {end} step %c1 {{"), |draw| {
                    draw.lap = Some(variable);
                    (0..loops).for_each(|_| drop(draw.repeat(Threads::Block, None)));
                    draw.lap = None;
                });
            }
            8 => drop(self.repeat(Threads::Warps, None)),
            9 => {
                let warp = self.rng.below(self.kernel.threads / 32);
                let warp = self.lines.constant(warp);
                let is_it = self.lines.value(format!("arith.cmpi eq, %warp, {warp} : index"));
                self.within(format!("scf.if {is_it} {{"), |draw| drop(draw.repeat(Threads::Warp, None)));
            }
            10 => self.within("scf.if %q {".to_owned(), |draw| drop(draw.repeat(Threads::Block, None))),
            _ => {
                // Two loops of different warps, or of the same.
                for _ in 0..2 {
                    let warp = self.lines.constant(self.kernel.threads / 64);
                    let predicate = *self.rng.one_of(&["eq", "ult", "uge"]);
                    let some = self.lines.value(format!("arith.cmpi {predicate}, %warp, {warp} : index"));
                    self.within(format!("scf.if {some} {{"), |draw| drop(draw.repeat(Threads::Warps, None)));
                }
            }
        }
    }

    /// Draws inside a region that `head` opens.
    pub fn within(&mut self, head: String, draw: impl FnOnce(&mut Self)) {
        self.lines.line(head);
        self.lines.depth += 1;
        draw(self);
        self.lines.depth -= 1;
        self.lines.line("}");
    }

    /// The end of a loop, which may come earlier in some iterations of the loop around.
    fn end_of_lap(&mut self, (first, end): (&str, &str), bounds: Bounds) -> String {
        let lap = self.lap.clone().filter(|_| !self.form.lasting && bounds.is_small() && self.rng.once_in(2));
        let Some(lap) = lap else { return end.to_owned() };
        let (factor, trips) = (1 + self.rng.below(7), 2 + self.rng.below(8));
        let [turned, moved] = [lap, "%c1".to_owned()].map(|number| self.lines.with("muli", &number, factor));
        let sum = self.lines.value(format!("arith.addi {turned}, {moved} : index"));
        let length = self.lines.with("remui", &sum, trips);
        let length = self.lines.with("muli", &length, bounds.step);
        let here = self.lines.value(format!("arith.addi {first}, {length} : index"));
        self.lines.value(format!("arith.minsi {end}, {here} : index"))
    }

    /// A loop that requests stages, over new tiles or those of another loop; returns the tiles.
    fn repeat(&mut self, threads: Threads, tiles: Option<Vec<Tile>>) -> Vec<Tile> {
        let count = *self.rng.one_of(&[1, 1, 2, 3]);
        let tiles = tiles.unwrap_or_else(|| (0..count).map(|_| self.tile(threads)).collect());
        let sums = threads == Threads::Block && self.rng.once_in(2);
        let bounds = if self.form.lasting { Bounds::lasting(&mut self.rng) } else { Bounds::draw(&mut self.rng) };
        let [first, end, step] = [bounds.first, bounds.end, bounds.step].map(|number| self.number(number));
        let end = self.end_of_lap((&first, &end), bounds);
        let (variable, element) = (self.lines.name(), self.kernel.element.name());
        let (total, carried) = (self.lines.name(), self.lines.name());
        let head = format!("scf.for {variable} = {first} to {end} step {step}");
        match sums {
            true => self.lines.line(format!("{total} = {head} iter_args({carried} = %zero) -> ({element}) {{")),
            false => self.lines.line(format!("{head} {{")),
        }
        self.lines.depth += 1;
        for tile in &tiles {
            self.load(tile, &variable, threads);
        }
        let mut sum = sums.then_some(carried);
        let mut begin = self.result(&variable, bounds.is_small());
        for (tile, number) in tiles.iter().zip(0..) {
            if self.form.lasting {
                // Stores of two tiles to one place would need an order of their own.
                begin = self.lines.with("addi", &variable, number * LASTING);
            }
            sum = self.consume(tile, &begin, threads, sum);
        }
        if let Some(sum) = sum {
            self.lines.line(format!("scf.yield {sum} : {element}"));
        }
        self.lines.depth -= 1;
        let stages = 2 + self.rng.below(4);
        let producer = if self.produces && tiles.iter().all(|tile| tile.in_bulk) { ", tile.producer" } else { "" };
        let attribute = format!(" {{tile.stages = {stages} : i64{producer}}}");
        let attribute = if self.form.plain { String::new() } else { attribute };
        self.lines.line(format!("}}{attribute}"));
        if sums {
            let at = self.rng.below(super::kernel::TILES);
            let at = self.lines.constant(at);
            self.lines.line(format!("memref.store {total}, %E[{at}, %thread] : {}", self.sums()));
        }
        tiles
    }
}
