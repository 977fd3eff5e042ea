//! Expansion of copies of one element at a time.

use melior::ir::Value;
use tile_isa::{Scope, Space};
use tile_plan::address;
use tile_plan::families::scalar::plan::{Distributed, MAX_UNROLLED, Owner, ScalarCopy, ScalarSide};
use tile_plan::problem::effect::Effect;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::ValueList;
use tile_plan::target::Target;

use super::super::Staged;
use crate::emit::error::EmitError;
use crate::emit::{Convert, Decided, Emit, Storage, Sum, Width, run_time};

/// A scalar copy and the storage of its sides.
struct Scalars<'p, 'c, 'a> {
    plan: &'p ScalarCopy,
    src: Storage<'c, 'a>,
    dst: Storage<'c, 'a>,
    src_values: Vec<Sum<'c, 'a>>,
    dst_values: Vec<Sum<'c, 'a>>,
    convert: Option<Convert<'c>>,
    mask_values: Vec<Sum<'c, 'a>>,
    filler: Option<Value<'c, 'a>>,
    target: Target,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &ScalarCopy,
) -> Result<(), EmitError> {
    let (op, [src, dst]) = (staged.op, staged.buffers()?);
    let (builder, target) = (emit.kit.builder, staged.reader.target(staged.op.0)?);
    let (from, to) = (emit.function.storage_of(builder, src)?, emit.function.storage_of(builder, dst)?);
    let scalars = Scalars {
        plan,
        src: from,
        dst: to,
        src_values: run_time(op, Role::Src),
        dst_values: run_time(op, Role::Dst),
        convert: plan.conversion.map(|conversion| Convert::of(conversion, &target, from, to)),
        mask_values: op.values(ValueList::Mask).into_iter().map(Sum::value).collect(),
        filler: op.filler(),
        target,
    };
    let condition = match &plan.owner {
        Owner::Distributed(owned) => return scalars.owned(emit, owned, staged.scope),
        Owner::Everyone => return scalars.nest(emit, Vec::new()),
        Owner::ScopeThread(thread) => {
            let executing = emit.function.thread_in(builder, staged.scope).ok_or(EmitError::NoElection)?;
            emit.equal(Sum::value(executing), *thread)
        }
        Owner::BlockThreads(threads) => is_one_of(emit, threads)?,
    };
    emit.when_true(condition, |emit| scalars.nest(emit, Vec::new()))
}

/// A bit that says whether the executing thread is one of those of the block.
fn is_one_of<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, threads: &[i64]) -> Result<Value<'c, 'a>, EmitError> {
    let executing = Sum::value(emit.function.linear_thread(emit.kit.builder));
    let (first, others) = threads.split_first().ok_or(EmitError::NoElection)?;
    let mut any = emit.equal(executing, *first);
    for &thread in others {
        let this = emit.equal(executing, thread);
        any = emit.kit.or(any, this);
    }
    Ok(any)
}

impl<'c, 'a> Scalars<'_, 'c, 'a> {
    fn straight(&self, elements: i64) -> bool {
        let registers = self.plan.side(Role::Src).space == Space::Local || self.plan.dst.space == Space::Local;
        registers && elements <= MAX_UNROLLED
    }

    /// The loops over the region's dimensions, starting at dimension `walk.len()`.
    fn nest(&self, emit: &mut Emit<'c, 'a, '_>, walk: Vec<Sum<'c, 'a>>) -> Result<(), EmitError> {
        let Some(&extent) = self.plan.extents.get(walk.len()) else { return self.element(emit, &walk) };
        let inside = |digit| walk.iter().copied().chain([digit]).collect::<Vec<_>>();
        if self.straight(self.plan.extents.iter().product()) {
            return (0..extent).try_for_each(|digit| self.nest(emit, inside(Sum::constant(digit))));
        }
        emit.repeat(extent, |emit, digit| self.nest(emit, inside(digit)))
    }

    /// An element in the destination's type, or the filler where the element is outside. `register` is its index in
    /// registers, if the source is in registers.
    fn read(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        walk: &[Sum<'c, 'a>],
        register: Option<Sum<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, EmitError> {
        if let Some(filler) = self.filler.filter(|_| self.plan.effect == Effect::Filled) {
            return Ok(filler);
        }
        let read = |emit: &mut Emit<'c, 'a, '_>| {
            let from = match register {
                Some(register) => register,
                None => locate(emit, self.plan.side(Role::Src), walk, &[], &self.src_values)?,
            };
            let value = emit.load(self.src, from, Width::new(1, self.plan.bits_of(Role::Src)));
            Ok(self.convert.as_ref().map_or(value, |convert| emit.kit.converted(value, 1, convert)))
        };
        match self.filler {
            Some(filler) => {
                let inside = self.inside(emit, Role::Src, walk)?;
                emit.either(inside, read, filler)
            }
            None => read(emit),
        }
    }

    /// Whether an element is inside one side's bounds.
    fn inside(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        role: Role,
        walk: &[Sum<'c, 'a>],
    ) -> Result<Decided<'c, 'a>, EmitError> {
        let Some(mask) = &self.plan.mask else { return Ok(Decided::ALWAYS) };
        let at = |_: &mut Emit<'c, 'a, '_>, dimension: usize| walk.get(dimension).copied().unwrap_or(Sum::constant(0));
        let bounded = mask.bounded(emit, role, at, &self.mask_values)?;
        Ok(emit.inside(&bounded))
    }

    /// Runs `body` where the element is copied: inside the destination, and, without a filler, inside the source.
    fn when_copied(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        walk: &[Sum<'c, 'a>],
        body: impl FnOnce(&mut Emit<'c, 'a, '_>) -> Result<(), EmitError>,
    ) -> Result<(), EmitError> {
        let mut copied = self.inside(emit, Role::Dst, walk)?;
        if self.filler.is_none() {
            let read = self.inside(emit, Role::Src, walk)?;
            copied = emit.both(copied, read);
        }
        emit.when_decided(copied, body)
    }

    fn write(&self, emit: &mut Emit<'c, 'a, '_>, value: Value<'c, 'a>, to: Sum<'c, 'a>) -> Result<(), EmitError> {
        let width = Width::new(1, self.plan.bits_of(Role::Dst));
        match self.plan.effect {
            Effect::Reduced(red) => emit.reduce(value, (self.dst, to), width, (red, self.plan.dst.space, &self.target)),
            Effect::Stored | Effect::Filled => {
                emit.store(value, self.dst, to, width);
                Ok(())
            }
        }
    }

    /// Copies one element to every replica in the destination.
    fn element(&self, emit: &mut Emit<'c, 'a, '_>, walk: &[Sum<'c, 'a>]) -> Result<(), EmitError> {
        self.when_copied(emit, walk, |emit| {
            let value = self.read(emit, walk, None)?;
            self.store_everywhere(emit, value, walk)
        })
    }

    /// Stores an element to every replica in the destination.
    fn store_everywhere(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        value: Value<'c, 'a>,
        walk: &[Sum<'c, 'a>],
    ) -> Result<(), EmitError> {
        let extents: Vec<i64> = self.plan.dst.copies().map(|iter| iter.extent).collect();
        each(&extents, |copy| {
            let copy: Vec<_> = copy.iter().map(|&digit| Sum::constant(digit)).collect();
            let to = locate(emit, &self.plan.dst, walk, &copy, &self.dst_values)?;
            self.write(emit, value, to)
        })
    }

    /// Every thread copies the elements that it owns in registers.
    fn owned(&self, emit: &mut Emit<'c, 'a, '_>, owned: &Distributed, scope: Scope) -> Result<(), EmitError> {
        let thread = emit.function.thread_in(emit.kit.builder, scope).map_or(Sum::constant(0), Sum::value);
        let (part, conditions) = address::owned_part(emit, owned, thread);
        let extents: Vec<i64> = owned.serial.iter().map(|digit| digit.extent).collect();
        if !self.straight(extents.iter().product()) {
            return emit.when(&conditions, |emit| self.owned_loops(emit, owned, part, Vec::new()));
        }
        emit.when(&conditions, |emit| {
            each(&extents, |digits| {
                let digits: Vec<_> = digits.iter().map(|&digit| Sum::constant(digit)).collect();
                self.owned_one(emit, owned, part, &digits)
            })
        })
    }

    fn owned_loops(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        owned: &Distributed,
        part: Sum<'c, 'a>,
        digits: Vec<Sum<'c, 'a>>,
    ) -> Result<(), EmitError> {
        let Some(digit) = owned.serial.get(digits.len()) else { return self.owned_one(emit, owned, part, &digits) };
        emit.repeat(digit.extent, |emit, value| {
            let digits = digits.into_iter().chain([value]).collect();
            self.owned_loops(emit, owned, part, digits)
        })
    }

    /// Copies between one register and its element in memory, if that lies in the region.
    fn owned_one(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        owned: &Distributed,
        part: Sum<'c, 'a>,
        digits: &[Sum<'c, 'a>],
    ) -> Result<(), EmitError> {
        let (local, local_values) = match owned.local {
            Role::Src => (self.plan.side(Role::Src), &self.src_values),
            Role::Dst => (&self.plan.dst, &self.dst_values),
        };
        let (element, register) = address::owned_element(emit, owned, part, digits, local_values)?;
        let address::Position { positions, conditions } = address::region_position(emit, owned, element, local_values)?;
        let mut walk = vec![Sum::constant(0); self.plan.extents.len()];
        for (position, walked) in positions.into_iter().zip(&local.walked) {
            if let Some(slot) = walked.and_then(|walked| walk.get_mut(walked)) {
                *slot = position;
            }
        }
        emit.when(&conditions, |emit| self.owned_move(emit, owned.local, register, &walk))
    }

    fn owned_move(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        local: Role,
        register: Sum<'c, 'a>,
        walk: &[Sum<'c, 'a>],
    ) -> Result<(), EmitError> {
        self.when_copied(emit, walk, |emit| {
            if local == Role::Dst {
                let value = self.read(emit, walk, None)?;
                return self.write(emit, value, register);
            }
            let value = self.read(emit, walk, Some(register))?;
            self.store_everywhere(emit, value, walk)
        })
    }
}

fn locate<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    side: &ScalarSide,
    walk: &[Sum<'c, 'a>],
    copy: &[Sum<'c, 'a>],
    values: &[Sum<'c, 'a>],
) -> Result<Sum<'c, 'a>, EmitError> {
    Ok(address::scalar_address(emit, side, walk, copy, values)?)
}

/// Calls `body` with every combination of coordinates, the last varying fastest.
fn each(extents: &[i64], mut body: impl FnMut(&[i64]) -> Result<(), EmitError>) -> Result<(), EmitError> {
    let count: i64 = extents.iter().product();
    (0..count).try_for_each(|linear| {
        let mut rest = linear;
        let mut digits = vec![0; extents.len()];
        for (digit, extent) in digits.iter_mut().zip(extents).rev() {
            *digit = rest % extent;
            rest /= extent;
        }
        body(&digits)
    })
}
