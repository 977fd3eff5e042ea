//! Expansion of realigned loads: those of several vectors, then their shifts.
//!
//! ```text
//!   if inner { ld.v4 ld.v4 } else { ld ld … }     of each vector of a batch
//!   shifted words, or the elements                one select a word
//! ```

use melior::ir::{Type, Value};
use tile_isa::Space as Memory;
use tile_ops::{arith, llvm, vector};
use tile_plan::address::{RealignedLoad, realigned_load, vector_address};
use tile_plan::families::realign::loads::RealignedLoads;
use tile_plan::families::realign::plan::CHUNK_BYTES;
use tile_plan::problem::role::Role;

use super::super::Staged;
use super::expand::{chunk_type, pointer, words_of};
use super::shift::shifted;
use crate::emit::{Decided, Emit, Kit, Storage, Sum, Width, base_address, run_time};

/// The number of vectors whose loads come before the first shift.
const BATCH: i64 = 4;

/// A copy and the storage of its sides.
struct Loads<'p, 'c, 'a> {
    plan: &'p RealignedLoads,
    src: Storage<'c, 'a>,
    dst: Storage<'c, 'a>,
    /// The address of the source's first element, and a pointer to it.
    base: Sum<'c, 'a>,
    pointer: Value<'c, 'a>,
    src_values: Vec<Sum<'c, 'a>>,
    dst_values: Vec<Sum<'c, 'a>>,
    thread: Sum<'c, 'a>,
}

/// The loads of a vector: two chunks and the shift where it is inside its row, and its elements at an end.
struct Loaded<'c, 'a> {
    inner: Decided<'c, 'a>,
    chunks: Vec<Value<'c, 'a>>,
    /// An integer of 32 bits.
    shift: Value<'c, 'a>,
    elements: Vec<Value<'c, 'a>>,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &RealignedLoads,
) -> Result<(), String> {
    let (op, [src, dst], builder) = (staged.op, staged.buffers()?, emit.kit.builder);
    let own = emit.function.thread_in(builder, staged.scope).map_or(Sum::constant(0), Sum::value);
    let (thread, mut conditions) = staged.number(emit, plan.vectors.ranks.as_ref(), own)?;
    conditions.extend(emit.guard_conditions(&plan.vectors.guards, thread));
    let [src, dst] = [emit.function.storage_of(builder, src)?, emit.function.storage_of(builder, dst)?];
    let base = base_address(builder, src.memref);
    let loads = Loads {
        plan,
        src,
        dst,
        base: Sum::value(base),
        pointer: pointer(emit.kit, base, Memory::Global),
        src_values: run_time(op, Role::Src),
        dst_values: run_time(op, Role::Dst),
        thread,
    };
    emit.when(&conditions, |emit| loads.rounds(emit))
}

impl<'c, 'a> Loads<'_, 'c, 'a> {
    fn rounds(&self, emit: &mut Emit<'c, 'a, '_>) -> Result<(), String> {
        let all = self.plan.vectors.rounds;
        for first in (0..all).step_by(BATCH as usize) {
            let rounds: Vec<Sum> = (first..(first + BATCH).min(all)).map(Sum::constant).collect();
            let loaded = rounds.iter().map(|&round| self.load(emit, round)).collect::<Result<Vec<_>, _>>()?;
            for (&round, loaded) in rounds.iter().zip(loaded) {
                let value = self.vector(emit, loaded);
                let address = vector_address(emit, &self.plan.vectors, Role::Dst, round, self.thread, &self.dst_values);
                emit.store(value, self.dst, address.map_err(|refusal| refusal.reason)?, self.width());
            }
        }
        Ok(())
    }

    fn width(&self) -> Width {
        Width::new(self.plan.vectors.vector, self.plan.vectors.element_bits)
    }

    /// Loads the chunks of a vector, or its elements.
    fn load(&self, emit: &mut Emit<'c, 'a, '_>, round: Sum<'c, 'a>) -> Result<Loaded<'c, 'a>, String> {
        let values = (self.base, self.src_values.as_slice());
        let RealignedLoad { inner, chunks, shift, first } =
            realigned_load(emit, self.plan, (round, self.thread), values).map_err(|refusal| refusal.reason)?;
        let inner = emit.inside(&[inner]);
        let [low, high, first] = [chunks[0], chunks[1], first].map(|bytes| {
            let bytes = emit.materialize(bytes);
            emit.kit.at(self.pointer, emit.kit.index_as_i64(bytes))
        });
        let shift = emit.materialize(shift);
        let (kit, chunk, element) = (emit.kit, chunk_type(emit), self.element(emit));
        let shift = arith::index_cast(kit.builder, shift, kit.int_type(32)).value();
        let (bytes, count) = (self.plan.element_bytes(), self.plan.vectors.vector);
        let load_chunks = |kit: Kit<'c, 'a>| [low, high].map(|at| kit.load(at, chunk, CHUNK_BYTES)).to_vec();
        let load_elements = |kit: Kit<'c, 'a>| -> Vec<Value<'c, 'a>> {
            let at = |step| kit.at(first, kit.i64(step * bytes));
            (0..count).map(|step| kit.load(at(step), element, bytes)).collect()
        };
        let poison = |kit: Kit<'c, 'a>, r#type, count| vec![llvm::mlir_poison(kit.builder, r#type).value(); count];
        let (chunks, elements) = match inner {
            Decided::Known(true) => (load_chunks(kit), Vec::new()),
            Decided::Known(false) => (Vec::new(), load_elements(kit)),
            Decided::Bit(bit) => {
                let types = [vec![chunk; 2], vec![element; count as usize]].concat();
                let yes = |kit| [load_chunks(kit), poison(kit, element, count as usize)].concat();
                let no = |kit| [poison(kit, chunk, 2), load_elements(kit)].concat();
                let mut both = kit.either_list(bit, yes, &types, no);
                let elements = both.split_off(2);
                (both, elements)
            }
        };
        Ok(Loaded { inner, chunks, shift, elements })
    }

    /// An element as an integer.
    fn element(&self, emit: &Emit<'c, 'a, '_>) -> Type<'c> {
        emit.kit.int_type(self.plan.vectors.element_bits)
    }

    /// The vector of what was loaded.
    fn vector(&self, emit: &mut Emit<'c, 'a, '_>, loaded: Loaded<'c, 'a>) -> Value<'c, 'a> {
        let Loaded { inner, chunks, shift, elements } = loaded;
        let (builder, words) = (emit.kit.builder, chunk_type(emit));
        let of_chunks = |emit: &Emit<'c, 'a, '_>| {
            let all = shifted(emit.kit, words_of(emit.kit, &chunks), shift, self.plan.element_bytes());
            vector::from_elements(builder, &all, words).value()
        };
        let of_elements = |emit: &Emit<'c, 'a, '_>| {
            let packed = Type::vector(&[elements.len() as u64], self.element(emit));
            vector::bitcast(builder, vector::from_elements(builder, &elements, packed).value(), words).value()
        };
        let value = match inner {
            Decided::Known(true) => of_chunks(emit),
            Decided::Known(false) => of_elements(emit),
            Decided::Bit(bit) => arith::select(builder, bit, of_chunks(emit), of_elements(emit)).value(),
        };
        emit.from_words(value, self.src.element, self.width())
    }
}
