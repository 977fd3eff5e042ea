//! Expansion of realigned loads, vector by vector:
//!
//! ```text
//!   if inner { ld.v4 ld.v4 shift } else { ld ld … }
//! ```
//!
//! The loads of a thread are not in flight together. Two chunks for each vector would take so many registers that fewer blocks run on an
//! SM, which costs more: a transpose of 64x64 f32 by 256 threads has 48 registers and 5 blocks this way, 74 and 3 with four vectors in
//! flight.

use melior::ir::{Type, Value};
use tile_isa::Space as Memory;
use tile_ops::{arith, vector};
use tile_plan::address::{RealignedLoad, realigned_load, vector_address};
use tile_plan::families::realign::loads::RealignedLoads;
use tile_plan::families::realign::plan::CHUNK_BYTES;
use tile_plan::problem::role::Role;

use super::super::Staged;
use super::expand::{chunk_type, pointer, words_of};
use super::shift::shifted;
use crate::emit::error::EmitError;
use crate::emit::{Decided, Emit, Kit, Storage, Sum, Width, base_address, run_time};

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

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &RealignedLoads,
) -> Result<(), EmitError> {
    let (op, [src, dst], builder) = (staged.op, staged.buffers()?, emit.kit.builder);
    let thread = emit.function.thread_in(builder, staged.scope).map_or(Sum::constant(0), Sum::value);
    let (thread, mut conditions) = staged.number(emit, plan.vectors.ranks.as_ref(), thread)?;
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

impl<'c: 'a, 'a> Loads<'_, 'c, 'a> {
    fn rounds(&self, emit: &mut Emit<'c, 'a, '_>) -> Result<(), EmitError> {
        for round in (0..self.plan.vectors.rounds).map(Sum::constant) {
            let words = self.load(emit, round)?;
            let vector = emit.of_words(words, self.src.element, self.width());
            let address = vector_address(emit, &self.plan.vectors, Role::Dst, round, self.thread, &self.dst_values);
            emit.store(vector, self.dst, address?, self.width());
        }
        Ok(())
    }

    fn width(&self) -> Width {
        Width::new(self.plan.vectors.vector, self.plan.vectors.element_bits)
    }

    /// The words of a vector: from two chunks, or from its elements.
    fn load(&self, emit: &mut Emit<'c, 'a, '_>, round: Sum<'c, 'a>) -> Result<Value<'c, 'a>, EmitError> {
        let values = (self.base, self.src_values.as_slice());
        let RealignedLoad { inner, chunks, shift, first } =
            realigned_load(emit, self.plan, (round, self.thread), values)?;
        let inner = emit.inside(&[inner]);
        let [low, high, first] = [chunks[0], chunks[1], first].map(|bytes| {
            let bytes = emit.materialize(bytes);
            emit.kit.at(self.pointer, emit.kit.index_as_i64(bytes))
        });
        let shift = emit.materialize(shift);
        let (kit, chunk) = (emit.kit, chunk_type(emit));
        let of_chunks = |kit: Kit<'c, 'a>| {
            let shift = arith::index_cast(kit.builder, shift, kit.int_type(32)).value();
            let chunks = [low, high].map(|at| kit.load(at, chunk, CHUNK_BYTES));
            let words = shifted(kit, words_of(kit, &chunks), shift, self.plan.element_bytes());
            vector::from_elements(kit.builder, &words, chunk).value()
        };
        let of_elements = |kit: Kit<'c, 'a>| self.elements(kit, first, chunk);
        Ok(match inner {
            Decided::Known(true) => of_chunks(kit),
            Decided::Known(false) => of_elements(kit),
            Decided::Bit(bit) => kit.either(bit, |kit| [of_chunks(kit)], [chunk], |kit| [of_elements(kit)])[0],
        })
    }

    /// The elements of a vector, loaded one by one, as words.
    fn elements(&self, kit: Kit<'c, 'a>, first: Value<'c, 'a>, words: Type<'c>) -> Value<'c, 'a> {
        let (element, bytes) = (kit.int_type(self.plan.vectors.element_bits), self.plan.element_bytes());
        let at = |step| kit.at(first, kit.i64(step * bytes));
        let count = self.plan.vectors.vector;
        let elements: Vec<Value> = (0..count).map(|step| kit.load(at(step), element, bytes)).collect();
        let packed = vector::from_elements(kit.builder, &elements, Type::vector(&[count as u64], element)).value();
        vector::bitcast(kit.builder, packed, words).value()
    }
}
