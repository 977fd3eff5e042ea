//! A map as a kernel's argument: 128 bytes among the kernel's parameters, which the TMA engine reads there.
//!
//! ```text
//!   gpu.func @copy(%A: memref<?x512xf16>, %m: !tile.tensor_map<…> {tile.map_of = [0, 1, 1, 0, 0]})
//!     └▶ llvm.func @copy(%A: !llvm.ptr, %rows: i64,
//!                        %m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64, nvvm.grid_constant})
//!          attributes {tile.tensor_maps = ["2: base=p0,type=f16,dims=512xp1,strides=1024,box=64x64,…"]}
//! ```
//!
//! `tile.map_of` gives the argument that is the tile's memory, and after it each run-time number of the map, as the integers of a
//! [`LaunchExpression`]: here one, extent 0 of argument 0. So a launcher that sees only the PTX can make the map itself.

use melior::ir::attribute::{ArrayAttribute, DictionaryAttribute, StringAttribute, TypeAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, Identifier, Location, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Arguments, Ir, Parts, Rewriter, argument_of, as_argument, defining_op, results_of, uses};
use tile_dialect::memref::dictionary_entry;
use tile_dialect::{Ctx, MAP_OF, TENSOR_MAPS, TensorMapType};
use tile_layout::by_x;
use tile_ops::llvm_type::{self, Space, array};
use tile_ops::{Builder, builtin, interface, llvm, nvvm};
use tile_plan::families::tensor_map::{Extent, MAP_BYTES, Stride, TensorMap};
use tile_plan::integer::{LaunchExpression, LaunchFunction};

use super::error::MapError;
use super::numbers;
use crate::launches::{self, kernel_launches, open_numbers};
use crate::read::{name, root};
use crate::{diagnostics, shim, walk};

/// Aligned as the encoder requires.
pub const MAP_ALIGN_BYTES: i64 = 64;

/// The location of an argument that takes the place of a map: that of the copy, and of what makes the tile.
pub fn location<'c>(map: OperationRef<'c, '_>) -> Location<'c> {
    let tile = map.operand_at(0).and_then(|tile| defining_op(root::root(tile)));
    tile.map_or_else(|| map.location(), |tile| diagnostics::fused(map.location(), tile.location()))
}

/// Where a lowered kernel's argument, a map, comes from: ` // copy at FILE:LINE:COLUMN, tile at FILE:LINE:COLUMN`.
pub fn places(kernel: OperationRef<'_, '_>, index: usize) -> Option<String> {
    let body = kernel.region_at(0).and_then(|region| region.first_block())?;
    let location = body.argument_at(index)?.location();
    let (copy, tile) = (diagnostics::location(location)?, diagnostics::last_location(location)?);
    Some(format!(" // copy at {copy}, tile at {tile}").replace(['\n', '\r'], " "))
}

/// Says of an argument, a new one, of which other arguments the map is that it takes the place of.
pub fn describe<'c: 'a, 'a>(
    rewriter: Rewriter<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    argument: Value<'c, 'a>,
    map: OperationRef<'c, 'a>,
) {
    let (Some((_, index)), Some((memory, numbers))) = (argument_of(argument), numbers::of_map(map, kernel)) else {
        return;
    };
    let numbers = numbers.iter().flat_map(LaunchExpression::to_integers);
    let integers: Vec<i64> = std::iter::once(memory as i64).chain(numbers).collect();
    let context = Ctx::of(kernel);
    let entry = (context.identifier(MAP_OF), context.i64_array(&integers));
    add_attributes(rewriter, kernel, index, &[entry]);
}

/// Adds attributes to an argument.
fn add_attributes<'c: 'a, 'a>(
    rewriter: Rewriter<'c, 'a>,
    function: OperationRef<'c, 'a>,
    index: usize,
    added: &[(Identifier<'c>, melior::ir::Attribute<'c>)],
) {
    let Some(body) = function.region_at(0).and_then(|region| region.first_block()) else { return };
    let (context, given) = (Ctx::of(function), interface::argument_attributes(function));
    let count = given.map_or(0, |list| list.len()).max(index + 1).min(body.argument_count());
    let lists: Vec<_> = (0..count)
        .map(|argument| {
            let stated = given.and_then(|list| DictionaryAttribute::try_from(list.element(argument).ok()?).ok());
            let stated = stated.into_iter().flat_map(|all| (0..all.len()).filter_map(move |at| all.element(at).ok()));
            let mut entries: Vec<_> = stated.collect();
            if argument == index {
                entries.extend_from_slice(added);
            }
            context.dictionary(&entries)
        })
        .collect();
    interface::set_argument_attributes(rewriter, function, &lists);
}

/// The maps that a kernel takes, as its parameters will be once memrefs are pointers and numbers.
pub struct Maps {
    /// The parameter of each, and what it is made of; an empty text where that is not known.
    maps: Vec<(usize, String)>,
    /// The parameters whose memory is written through maps; `None` where any may be.
    written: Option<Vec<usize>>,
}

impl Maps {
    /// Whether the memory of a parameter may be written through a map.
    pub fn may_write(&self, parameter: usize) -> bool {
        self.written.as_ref().is_none_or(|written| written.contains(&parameter))
    }
}

/// The maps that a kernel takes, read before its memrefs become pointers and numbers.
///
/// # Errors
/// As [`open_numbers`]; a map that something else uses than what copies and changes of maps have become.
pub fn read(kernel: OperationRef<'_, '_>) -> Result<Maps, MapError> {
    let Some(body) = kernel.region_at(0).and_then(|region| region.first_block()) else {
        return Ok(Maps { maps: Vec::new(), written: Some(Vec::new()) });
    };
    let (mut types, mut first, mut next, mut maps) = (Vec::new(), Vec::new(), 0, Vec::new());
    for index in 0..shim::inputs(kernel) {
        let r#type = body.argument_at(index).ok_or(MapError::NoArgument)?.r#type();
        let memref = MemRefType::try_from(r#type).ok();
        first.push(next);
        next += 1 + memref.map_or(Ok(0), |memref| open_numbers(index, memref).map(|numbers| numbers.len()))?;
        types.push(memref);
        if let Some(map) = TensorMapType::from_type(r#type).and_then(TensorMapType::map) {
            check_uses(kernel, index)?;
            maps.push((index, map));
        }
    }
    let text = |(index, map): (usize, TensorMap)| {
        let text = map_of(kernel, index).and_then(|list| declaration(&map, &list, &types, &first)).unwrap_or_default();
        (first[index], text)
    };
    let memory = |argument: usize| {
        let memory = *map_of(kernel, argument)?.first()?;
        first.get(usize::try_from(memory).ok()?).copied()
    };
    let written = stores(kernel).into_iter().map(|map| memory(map?)).collect();
    Ok(Maps { maps: maps.into_iter().map(text).collect(), written })
}

fn check_uses(kernel: OperationRef<'_, '_>, index: usize) -> Result<(), MapError> {
    let argument = kernel.region_at(0).and_then(|region| region.first_block()?.argument_at(index));
    let users = argument.into_iter().flat_map(|argument| uses(argument.into())).map(|(user, _)| name(user));
    match users.into_iter().find(|&user| user != builtin::UnrealizedConversionCastOp::NAME) {
        None => Ok(()),
        Some(user) => Err(MapError::Passed { index, user: user.to_owned() }),
    }
}

/// For each store through a map in a kernel, the argument that is the map.
fn stores(kernel: OperationRef<'_, '_>) -> Vec<Option<usize>> {
    const STORES: [&str; 2] = [nvvm::CpAsyncBulkTensorSharedCTAToGlobalOp::NAME, nvvm::CpAsyncBulkTensorReduceOp::NAME];
    let argument = |op: OperationRef<'_, '_>| {
        let cast = defining_op(op.operand_at(0)?)?;
        Some(as_argument(cast.operand_at(0)?)?.argument_number())
    };
    walk::matching(kernel, |name| STORES.contains(&name)).into_iter().map(argument).collect()
}

fn map_of(kernel: OperationRef<'_, '_>, index: usize) -> Option<Vec<i64>> {
    let stated = DictionaryAttribute::try_from(interface::argument_attributes(kernel)?.element(index).ok()?).ok()?;
    let list = dictionary_entry(stated.into(), MAP_OF)?;
    let list = melior::ir::attribute::DenseI64ArrayAttribute::try_from(list).ok()?;
    (0..list.len()).map(|place| list.element(place).ok()).collect()
}

/// What a map is made of, by the kernel's parameters, innermost dimension first: `base=p0,type=f16,dims=512xp1,strides=1024,
/// box=64x64,swizzle=128,promotion=256,fill=zero`; of pixels of images `channels`, `pixels`, corners and steps in place of `box`.
fn declaration(map: &TensorMap, parts: &[i64], types: &[Option<MemRefType<'_>>], first: &[usize]) -> Option<String> {
    let (memory, integers) = parts.split_first()?;
    let memory = usize::try_from(*memory).ok()?;
    let base = first.get(memory)?;
    let offsets = [numbers::offset(memory, types, first)?, LaunchExpression::Constant(map.base)];
    let offsets = offsets.into_iter().filter(|offset| *offset != LaunchExpression::Constant(0));
    let offset: String = offsets.map(|offset| format!("+{offset}")).collect();
    let mut integers = integers;
    let mut known =
        || LaunchExpression::take(&mut integers)?.replaced(&|&number| numbers::by_parameters(number, types, first));
    let (mut extents, mut strides) = (Vec::new(), Vec::new());
    for dim in &map.dims {
        extents.push(match dim.extent {
            Extent::Const(extent) => LaunchExpression::Constant(extent),
            Extent::Of(_) => known()?,
            Extent::Blocks { elements, .. } => {
                LaunchExpression::apply(LaunchFunction::CeilDiv, known()?, LaunchExpression::Constant(elements))
            }
        });
        strides.push(match dim.stride {
            Stride::Bytes(bytes) => LaunchExpression::Constant(bytes),
            Stride::Times { bytes, .. } => {
                LaunchExpression::apply(LaunchFunction::Mul, LaunchExpression::Constant(bytes), known()?)
            }
        });
    }
    let or_none = |bytes: i64| if bytes == 0 { "none".to_owned() } else { bytes.to_string() };
    let boxes = if map.pixels == 0 {
        format!("box={}", by_x(map.dims.iter().map(|dim| dim.boxed)))
    } else {
        let walked = || map.dims.iter().skip(1).take(map.filter_offsets());
        format!(
            "channels={},pixels={},lower={},upper={},element_strides={}",
            map.dims.first().map_or(1, |dim| dim.boxed),
            map.pixels,
            by_x(walked().map(|dim| dim.lower)),
            by_x(walked().map(|dim| dim.upper)),
            by_x(map.dims.iter().map(|dim| dim.element_stride)),
        )
    };
    Some(format!(
        "base=p{base}{offset},type={},dims={},strides={},{boxes},swizzle={},promotion={},fill={}",
        map.element.word(),
        by_x(extents),
        by_x(strides.into_iter().skip(1)),
        or_none(map.swizzle.span().unwrap_or(0)),
        or_none(map.promotion.bytes()),
        map.fill.word(),
    ))
}

/// Makes the maps of a kernel pointers, and those of its launches below the root; `maps` are those of [`read`].
pub fn make_pointers<'c>(ir: &Ir<'c>, kernel: OperationRef<'c, '_>, maps: &Maps) {
    let maps = &maps.maps;
    if maps.is_empty() {
        return;
    }
    let (rewriter, context) = (ir.rewriter(), Ctx::of(kernel));
    let pointer = llvm_type::pointer(context, Space::Generic as u32);
    let indices: Vec<usize> = maps.iter().map(|(index, _)| *index).collect();
    for &index in &indices {
        shim::set_argument_type(kernel, index, pointer);
        let body = kernel.region_at(0).and_then(|region| region.first_block());
        let Some(argument) = body.as_ref().and_then(|body| body.argument_at(index)) else { continue };
        // The casts to a pointer that the expansion of copies has made.
        for (cast, _) in uses(argument.into()) {
            rewriter.replace(cast, &[argument.into()]);
        }
    }
    for launch in kernel_launches(ir.root(), kernel) {
        let builder = Builder::before(rewriter, launch);
        let mut passed: Vec<_> = launches::arguments(launch).collect();
        for operand in indices.iter().filter_map(|&index| Some((index, *passed.get(index)?))).collect::<Vec<_>>() {
            let cast = builtin::unrealized_conversion_cast(builder, &[operand.1], &[pointer]).build().operation();
            passed[operand.0] = results_of(cast)[0];
        }
        shim::set_kernel_operands(launch, &passed);
    }
    let texts: Vec<_> = maps.iter().map(|(index, text)| context.string(&format!("{index}: {text}"))).collect();
    rewriter.set_attribute(kernel, TENSOR_MAPS, context.array(&texts));
}

/// The maps that a lowered kernel takes, as [`TENSOR_MAPS`] states them.
pub fn stated(kernel: OperationRef<'_, '_>) -> Vec<(usize, String)> {
    let list = kernel.attribute(TENSOR_MAPS).ok().and_then(|list| ArrayAttribute::try_from(list).ok());
    let texts = list.into_iter().flat_map(|list| (0..list.len()).filter_map(move |index| list.element(index).ok()));
    let text = |attribute| {
        let text = StringAttribute::try_from(attribute).ok()?.value().to_owned();
        let (index, text) = text.split_once(':')?;
        Some((index.parse().ok()?, text.trim().to_owned()))
    };
    texts.filter_map(text).collect()
}

/// Places the maps of a lowered kernel among its parameters.
pub fn place(rewriter: Rewriter<'_, '_>, kernel: OperationRef<'_, '_>) {
    let context = Ctx::of(kernel);
    let bytes = array(context.integer(8), MAP_BYTES as u32);
    for (index, _) in stated(kernel) {
        let entry = |name: &str, value| (context.identifier(name), value);
        let entries = [
            entry(llvm::attribute::BY_VAL, TypeAttribute::new(bytes).into()),
            entry(llvm::attribute::ALIGN, context.integer_attribute(64, MAP_ALIGN_BYTES)),
            entry(nvvm::attribute::GRID_CONSTANT, context.unit()),
        ];
        add_attributes(rewriter, kernel, index, &entries);
    }
}
