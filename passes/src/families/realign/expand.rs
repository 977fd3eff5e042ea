//! Expansion of realigned rows: the loads of several chunks, elements at the ends of rows, then the stores.
//!
//! ```text
//!   up to 2 batches of rounds   ld ld … if { ld st } … st st …      addresses of each round by the plan's formulas
//!   more                        scf.for { ld ld … st st … }         and the remaining rounds straight
//!   several elements            ld … st …                           in batches, too
//!   what a mask leaves out      st …                                the filler, in chunks and by elements
//! ```

use melior::ir::{Type, Value, ValueLike};
use tile_isa::Space as Memory;
use tile_layout::IndexArith;
use tile_ops::llvm_type::{Space, pointer_to};
use tile_ops::{arith, llvm, vector};
use tile_plan::address::{
    FilledBytes, RealignedChunk, RowValues, edge_place, filled_chunk, filled_element, realigned_chunk, row_edge,
};
use tile_plan::families::realign::plan::{CHUNK_BYTES, RealignedCopy};
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::ValueList;

use super::super::Staged;
use super::shift::shifted;
use crate::emit::error::EmitError;
use crate::emit::{Decided, Emit, Kit, Sum, as_i64, base_address, run_time};

/// The number of chunks that a thread loads before its first store.
const BATCH: i64 = 4;

/// The number of elements at ends of rows that a thread loads before the first of them is stored.
const EDGE_BATCH: i64 = 8;

/// Words of 32 bits of a chunk.
const WORDS: u64 = 4;

/// A copy of rows and the storage of its sides.
struct RealignedRows<'p, 'c, 'a> {
    plan: &'p RealignedCopy,
    /// Pointers to the first elements of both sides.
    pointers: [Value<'c, 'a>; 2],
    bases: [Sum<'c, 'a>; 2],
    src_values: Vec<Sum<'c, 'a>>,
    dst_values: Vec<Sum<'c, 'a>>,
    mask_values: Vec<Sum<'c, 'a>>,
    thread: Sum<'c, 'a>,
    /// What is written where nothing is read.
    filler: Option<Value<'c, 'a>>,
}

/// A chunk that is loaded.
struct Loaded<'c, 'a> {
    is_there: Decided<'c, 'a>,
    chunks: Vec<Value<'c, 'a>>,
    /// The shift, an integer of 32 bits.
    shift: Value<'c, 'a>,
    /// Bytes from the destination's first element.
    store: Value<'c, 'a>,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &RealignedCopy,
) -> Result<(), EmitError> {
    let (op, [src, dst], builder) = (staged.op, staged.buffers()?, emit.kit.builder);
    let thread = emit.function.thread_in(builder, staged.scope).map_or(Sum::constant(0), Sum::value);
    let (thread, conditions) = staged.number(emit, plan.ranks.as_ref(), thread)?;
    let [src, dst] = [emit.function.storage_of(builder, src)?, emit.function.storage_of(builder, dst)?];
    let bases = [src, dst].map(|storage| base_address(builder, storage.memref));
    let spaces = [plan.src.space, plan.dst.space];
    let rows = RealignedRows {
        plan,
        pointers: [0, 1].map(|side| pointer(emit.kit, bases[side], spaces[side])),
        // A tile in shared memory begins with a chunk.
        bases: [0, 1]
            .map(|side| if spaces[side] == Memory::Shared { Sum::constant(0) } else { Sum::value(bases[side]) }),
        src_values: run_time(op, Role::Src),
        dst_values: run_time(op, Role::Dst),
        mask_values: op.values(ValueList::Mask).into_iter().map(Sum::value).collect(),
        thread,
        filler: op.filler(),
    };
    emit.when(&conditions, |emit| rows.rounds(emit))
}

/// A pointer into global or shared memory. LLVM sees through a generic one what is known of an argument of the kernel: that nothing writes
/// what it reads.
pub(super) fn pointer<'c: 'a, 'a>(kit: Kit<'c, 'a>, address: Value<'c, 'a>, space: Memory) -> Value<'c, 'a> {
    if space == Memory::Shared {
        return pointer_to(kit.builder, as_i64(kit.builder, address), Space::Shared);
    }
    let generic = pointer_to(kit.builder, as_i64(kit.builder, address), Space::Generic);
    llvm::addrspacecast(kit.builder, generic, kit.pointer(Space::Global)).value()
}

impl<'c, 'a> RealignedRows<'_, 'c, 'a> {
    fn rounds(&self, emit: &mut Emit<'c, 'a, '_>) -> Result<(), EmitError> {
        let all = self.plan.chunk_rounds();
        let looped = if all > 2 * BATCH { all / BATCH } else { 0 };
        if looped > 0 {
            emit.repeat(looped, |emit, turn| {
                let rounds = batch(emit, turn, BATCH);
                self.chunks(emit, &rounds)
            })?;
        }
        let mut next = looped * BATCH;
        while next + self.in_flight() < all {
            self.chunks(emit, &numbers(next, next + self.in_flight()))?;
            next += self.in_flight();
        }
        let loaded = self.loads(emit, &numbers(next, all))?;
        self.edges(emit)?;
        self.stores(emit, loaded)?;
        match self.filler {
            Some(filler) if self.plan.is_filled() => self.fill(emit, filler),
            _ => Ok(()),
        }
    }

    /// The number of chunks that are loaded before the first store: shared memory answers at once, and two chunks for each take registers.
    fn in_flight(&self) -> i64 {
        if self.plan.src.space == Memory::Shared { 1 } else { BATCH }
    }

    /// Copies the chunks of some rounds.
    fn chunks(&self, emit: &mut Emit<'c, 'a, '_>, rounds: &[Sum<'c, 'a>]) -> Result<(), EmitError> {
        rounds.chunks(self.in_flight() as usize).try_for_each(|rounds| {
            let loaded = self.loads(emit, rounds)?;
            self.stores(emit, loaded)
        })
    }

    /// Fills what is not copied. LLVM has no 8-bit floats to store: those are stored as their bits.
    fn fill(&self, emit: &mut Emit<'c, 'a, '_>, filler: Value<'c, 'a>) -> Result<(), EmitError> {
        let byte = emit.kit.int_type(8);
        let is_small_float = self.plan.element_bits == 8 && filler.r#type() != byte;
        let filler = if is_small_float { arith::bitcast(emit.kit.builder, filler, byte).value() } else { filler };
        let chunk = emit.spread(filler, CHUNK_BYTES / self.plan.element_bytes());
        self.each_round(emit, self.plan.filled_chunk_rounds(), |emit, round| {
            let filled = filled_chunk(emit, self.plan, (round, self.thread), &self.values());
            self.fill_one(emit, filled?, (chunk, CHUNK_BYTES))
        })?;
        self.each_round(emit, self.plan.filled_element_rounds(), |emit, round| {
            let filled = filled_element(emit, self.plan, (round, self.thread), &self.values());
            self.fill_one(emit, filled?, (filler, self.plan.element_bytes()))
        })
    }

    fn fill_one(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        FilledBytes { inside, store }: FilledBytes<Sum<'c, 'a>>,
        (value, bytes): (Value<'c, 'a>, i64),
    ) -> Result<(), EmitError> {
        let is_filled = emit.inside(&inside);
        emit.when_decided(is_filled, |emit| {
            let to = self.at(emit, Role::Dst, store);
            emit.kit.store(value, to, bytes);
            Ok(())
        })
    }

    /// Rounds straight where they are few, else in a loop.
    fn each_round(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        rounds: i64,
        body: impl Fn(&mut Emit<'c, 'a, '_>, Sum<'c, 'a>) -> Result<(), EmitError>,
    ) -> Result<(), EmitError> {
        if rounds > 2 * BATCH {
            return emit.repeat(rounds, body);
        }
        numbers(0, rounds).into_iter().try_for_each(|round| body(emit, round))
    }

    fn values(&self) -> RowValues<'_, Sum<'c, 'a>> {
        RowValues { bases: &self.bases, src: &self.src_values, dst: &self.dst_values, mask: &self.mask_values }
    }

    /// Loads the chunks of some rounds.
    fn loads(&self, emit: &mut Emit<'c, 'a, '_>, rounds: &[Sum<'c, 'a>]) -> Result<Vec<Loaded<'c, 'a>>, EmitError> {
        rounds.iter().map(|&round| self.load(emit, round)).collect()
    }

    fn load(&self, emit: &mut Emit<'c, 'a, '_>, round: Sum<'c, 'a>) -> Result<Loaded<'c, 'a>, EmitError> {
        let RealignedChunk { inside, loads, shift, store } =
            realigned_chunk(emit, self.plan, (round, self.thread), &self.values())?;
        let is_there = emit.inside(&inside);
        let loads = loads.map(|load| self.at(emit, Role::Src, load));
        let [shift, store] = [shift, store].map(|value| emit.materialize(value));
        let (kit, chunk) = (emit.kit, chunk_type(emit));
        let load_all = |kit: Kit<'c, 'a>| loads.map(|load| kit.load(load, chunk, CHUNK_BYTES)).to_vec();
        let chunks = match is_there {
            Decided::Known(true) => load_all(kit),
            Decided::Known(false) => vec![llvm::mlir_poison(kit.builder, chunk).value(); 2],
            Decided::Bit(bit) => {
                let none = |kit: Kit<'c, 'a>| vec![llvm::mlir_poison(kit.builder, chunk).value(); 2];
                kit.either_list(bit, load_all, &[chunk, chunk], none)
            }
        };
        let shift = arith::index_cast(kit.builder, shift, kit.int_type(32)).value();
        Ok(Loaded { is_there, chunks, shift, store })
    }

    /// A pointer into one side.
    fn at(&self, emit: &mut Emit<'c, 'a, '_>, role: Role, bytes: Sum<'c, 'a>) -> Value<'c, 'a> {
        let bytes = emit.materialize(bytes);
        self.at_bytes(emit, role, bytes)
    }

    fn at_bytes(&self, emit: &Emit<'c, 'a, '_>, role: Role, bytes: Value<'c, 'a>) -> Value<'c, 'a> {
        let pointer = self.pointers[usize::from(role == Role::Dst)];
        emit.kit.at(pointer, emit.kit.index_as_i64(bytes))
    }

    /// Shifts and stores what [`RealignedRows::loads`] loaded.
    fn stores(&self, emit: &mut Emit<'c, 'a, '_>, loaded: Vec<Loaded<'c, 'a>>) -> Result<(), EmitError> {
        loaded.into_iter().try_for_each(|Loaded { is_there, chunks, shift, store }| {
            emit.when_decided(is_there, |emit| {
                let kit = emit.kit;
                let words = shifted(kit, words_of(kit, &chunks), shift, self.plan.element_bytes());
                let chunk = vector::from_elements(kit.builder, &words, chunk_type(emit)).value();
                kit.store(chunk, self.at_bytes(emit, Role::Dst, store), CHUNK_BYTES);
                Ok(())
            })
        })
    }

    /// Copies the elements at the ends of rows.
    fn edges(&self, emit: &mut Emit<'c, 'a, '_>) -> Result<(), EmitError> {
        let all = self.plan.edge_rounds();
        if all == 1 {
            return self.only_edge(emit);
        }
        let looped = if all > 2 * EDGE_BATCH { all / EDGE_BATCH } else { 0 };
        if looped > 0 {
            emit.repeat(looped, |emit, turn| {
                let rounds = batch(emit, turn, EDGE_BATCH);
                self.edges_of(emit, &rounds)
            })?;
        }
        let mut next = looped * EDGE_BATCH;
        while next < all {
            let end = (next + EDGE_BATCH).min(all);
            self.edges_of(emit, &numbers(next, end))?;
            next = end;
        }
        Ok(())
    }

    /// The element of the only round. Most threads have no place at an end of a row, and compute nothing.
    fn only_edge(&self, emit: &mut Emit<'c, 'a, '_>) -> Result<(), EmitError> {
        let round = Sum::constant(0);
        let place = edge_place(emit, self.plan, (round, self.thread));
        let has_place = emit.inside(&place);
        emit.when_decided(has_place, |emit| self.edges_of(emit, &[round]))
    }

    /// Loads the elements of some rounds, then stores them.
    fn edges_of(&self, emit: &mut Emit<'c, 'a, '_>, rounds: &[Sum<'c, 'a>]) -> Result<(), EmitError> {
        let (bytes, element) = (self.plan.element_bytes(), emit.kit.int_type(self.plan.element_bits));
        let mut loaded = Vec::with_capacity(rounds.len());
        for &round in rounds {
            let edge = row_edge(emit, self.plan, (round, self.thread), &self.values())?;
            let is_there = emit.inside(&edge.inside);
            let (from, to) = (self.at(emit, Role::Src, edge.load), self.at(emit, Role::Dst, edge.store));
            let none = llvm::mlir_poison(emit.kit.builder, element).value();
            let value = emit.either(is_there, |emit| Ok(emit.kit.load(from, element, bytes)), none)?;
            loaded.push((is_there, value, to));
        }
        loaded.into_iter().try_for_each(|(is_there, value, to)| {
            emit.when_decided(is_there, |emit| {
                emit.kit.store(value, to, bytes);
                Ok(())
            })
        })
    }
}

/// The rounds of a turn of a loop over batches of `count` rounds.
fn batch<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, turn: Sum<'c, 'a>, count: i64) -> Vec<Sum<'c, 'a>> {
    let first = emit.scale(turn, count);
    (0..count).map(|round| emit.add(first, Sum::constant(round))).collect()
}

/// Rounds by their numbers.
fn numbers<'c, 'a>(from: i64, to: i64) -> Vec<Sum<'c, 'a>> {
    (from..to).map(Sum::constant).collect()
}

/// The words of chunks, in order.
pub(super) fn words_of<'c: 'a, 'a>(kit: Kit<'c, 'a>, chunks: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let words = chunks.iter().flat_map(|&chunk| (0..WORDS as i64).map(move |word| (chunk, word)));
    words.map(|(chunk, word)| vector::extract(kit.builder, chunk, &[], &[word]).value()).collect()
}

/// The type of a chunk.
pub(super) fn chunk_type<'c>(emit: &Emit<'c, '_, '_>) -> Type<'c> {
    Type::vector(&[WORDS], emit.kit.int_type(32))
}
