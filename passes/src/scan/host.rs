//! The host code that replaces a pass over arrays: launches.

use melior::ir::r#type::MemRefType;
use melior::ir::{ShapedTypeLike, Type, Value, ValueLike};
use tile_dialect::memref::{DYNAMIC, strides_and_offset};
use tile_dialect::ops::{ScanElement, ScanOp};
use tile_ops::llvm_type::{Space, pointer_to};
use tile_ops::{arith, constant, gpu, memref, nested_symbol};

use super::read;
use crate::emit::{Kit, Val};

/// The number of blocks that a kernel is launched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// This number.
    Fixed(i64),
    /// One block per this number of elements.
    PerElements(i64),
    /// The same, but at least one block, and at most the second number if there is one.
    Between(i64, Option<i64>),
    /// Tiles of the first number of elements, distributed evenly over at most the second number of blocks, in the
    /// fewest rounds possible.
    Rounds(i64, i64),
}

/// A launch of one kernel.
#[derive(Clone, Copy)]
pub struct Launch<'t> {
    /// The kernel.
    pub name: &'t str,
    /// The number of blocks.
    pub grid: Grid,
    /// Threads of a block.
    pub threads: i64,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: i64,
}

/// Arguments of kernels, on the host.
pub struct Arguments<'c, 'a> {
    values: Vec<Val<'c, 'a>>,
    /// The number of elements, an index.
    n: Value<'c, 'a>,
    /// A bit that says whether kernels are launched; `None` where they always are.
    some: Option<Val<'c, 'a>>,
}

impl<'c: 'a, 'a> Arguments<'c, 'a> {
    /// The arguments of a scan, whose kernels are launched where there are elements.
    ///
    /// # Errors
    /// Operands that are not strided memrefs.
    pub fn of_scan(kit: Kit<'c, 'a>, op: ScanOp<'c, 'a>) -> Result<Self, String> {
        let others: Vec<_> = op.init().into_iter().collect();
        let arrays = [op.source(), op.dest(), op.workspace()];
        Ok(Arguments::new(kit, &arrays, op.epoch(), &others)?.for_elements(kit))
    }

    /// The same; kernels are launched where there are elements.
    pub fn for_elements(self, kit: Kit<'c, 'a>) -> Self {
        let elements = kit.index_as_i64(self.n);
        Arguments { some: Some(kit.is(crate::emit::Cmp::Ne, elements, 0)), ..self }
    }

    /// The lowest addresses of arrays, the number of elements of the first of them, the epoch, and other values.
    ///
    /// # Errors
    /// Arrays that are not strided memrefs.
    pub fn new(
        kit: Kit<'c, 'a>,
        arrays: &[Value<'c, 'a>],
        epoch: Value<'c, 'a>,
        others: &[Value<'c, 'a>],
    ) -> Result<Self, String> {
        let zero = constant::index(kit.builder, 0);
        let n = memref::dim(kit.builder, arrays[0], zero).value();
        let elements = kit.index_as_i64(n);
        let lowest = arrays.iter().map(|&memref| lowest_address(kit, memref, elements));
        let mut values = lowest.collect::<Result<Vec<_>, _>>()?;
        values.extend([elements, epoch]);
        values.extend(others);
        Ok(Arguments { values, n, some: None })
    }

    /// The types of the kernel's parameters.
    pub fn types(&self) -> Vec<Type<'c>> {
        self.values.iter().map(|value| value.r#type()).collect()
    }

    /// Launches kernels one after the other.
    pub fn launch(&self, kit: Kit<'c, 'a>, module: &str, launches: &[Launch<'_>]) {
        let all = |kit: Kit<'c, 'a>| launches.iter().for_each(|launch| self.one(kit, module, launch));
        match self.some {
            None => all(kit),
            Some(some) => drop(kit.when(some, all)),
        }
    }

    fn one(&self, kit: Kit<'c, 'a>, module: &str, launch: &Launch<'_>) {
        let number = |value| constant::index(kit.builder, value);
        let over = |a, b| arith::ceildivui(kit.builder, a, b).value();
        let per = |elements| over(self.n, number(elements));
        let blocks = match launch.grid {
            Grid::Fixed(blocks) => number(blocks),
            Grid::PerElements(elements) => per(elements),
            Grid::Between(elements, most) => {
                let tiles = arith::maxui(kit.builder, per(elements), number(1)).value();
                most.map_or(tiles, |most| arith::minui(kit.builder, tiles, number(most)).value())
            }
            Grid::Rounds(elements, most) => {
                let tiles = per(elements);
                over(tiles, over(tiles, number(most)))
            }
        };
        let one = number(1);
        let threads = number(launch.threads);
        let dynamic = (launch.dynamic_shared > 0).then(|| kit.i32(launch.dynamic_shared));
        let kernel = nested_symbol(kit.builder.context, module, launch.name);
        gpu::launch_func(kit.builder, &[], blocks, one, one, threads, one, one, &self.values, kernel)
            .dynamic_shared_memory_size(dynamic)
            .build();
    }
}

/// The lowest address of the elements of a memref, in the form that kernels take: with stride 1 the address of the first, with
/// stride -1 that of the last of `elements` elements (i64).
pub fn lowest_address<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    memref: Value<'c, 'a>,
    elements: Val<'c, 'a>,
) -> Result<Val<'c, 'a>, String> {
    let r#type = MemRefType::try_from(memref.r#type()).map_err(|error| error.to_string())?;
    let (_, offset) = strides_and_offset(r#type).ok_or("has an operand without strides")?;
    let element = ScanElement::new(r#type.element()).ok_or("has an operand whose elements are no numbers")?;
    let bytes = i64::from(element.bits().div_ceil(8));
    let base = kit.index_as_i64(memref::extract_aligned_pointer_as_index(kit.builder, memref).value());
    let first = match offset {
        0 => base,
        DYNAMIC => {
            let offset = kit.index_as_i64(memref::extract_strided_metadata(kit.builder, memref).build().offset());
            kit.add(base, kit.times(offset, bytes))
        }
        offset => kit.plus(base, offset.saturating_mul(bytes)),
    };
    let lowest = match read::is_backwards(memref) {
        false => first,
        true => kit.sub(first, kit.times(kit.plus(elements, -1), bytes)),
    };
    Ok(pointer_to(kit.builder, lowest, Space::Global))
}
