//! Kernels, as launches see them.

use std::collections::HashMap;
use std::fmt::Write;

use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, RegionLike, Type, TypeLike, ValueLike};
use tile_dialect::ir::{Arguments, Parts, arguments_of};
use tile_dialect::memref::{bit_width, dictionary_entry};
use tile_layout::by_x;
use tile_ops::{interface, llvm, llvm_type, nvvm};
use tile_plan::families::tensor_map::MAP_BYTES;

use crate::diagnostics::{Location, location};
use crate::launches::{MemrefNumber, open_numbers};
use crate::needs::LaunchNeeds;
use crate::ptx::shared_memory;
use crate::read::divisibility::block;
use crate::tensor_maps::argument;
use crate::{promise, shim, walk};

/// A kernel, as a launch sees it.
///
/// ```
/// use tile_passes::{Options, compile, embed};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, r#"gpu.module @kernels {
///   gpu.func @idle() kernel attributes {known_block_size = array<i32: 128, 1, 1>} { gpu.return }
/// }"#)?;
/// let ptx = compile(&mut module, &Options::new())?;
/// let [kernel] = ptx.kernels.as_slice() else { panic!("one kernel") };
/// assert_eq!((kernel.name.as_str(), kernel.arguments.len(), kernel.required_threads), ("idle", 0, Some([128, 1, 1])));
/// assert_eq!((kernel.cluster, kernel.static_shared, kernel.dynamic_shared), (None, 0, 0));
/// # Ok::<(), tile_passes::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kernel {
    /// The name of the entry.
    pub name: String,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
    /// The only block shape that it can be launched with (`.reqntid`): the `known_block_size` that it was compiled for.
    pub required_threads: Option<[u32; 3]>,
    /// The product of the extents is the most threads of a block (`.maxntid`).
    pub max_threads: Option<[u32; 3]>,
    /// The blocks of a cluster along each dimension (`.reqnctapercluster`).
    pub cluster: Option<[u32; 3]>,
    /// The blocks of the only grid that it can be launched with: the `known_grid_size` that it was compiled for.
    pub grid: Option<[u32; 3]>,
    /// Bytes of static shared memory that it uses, and functions that it calls.
    pub static_shared: u64,
    /// Bytes of dynamic shared memory that a launch must give it, as `--tile-plan-memory` found them.
    pub dynamic_shared: u64,
}

/// An argument of a kernel. What a memref's type leaves to run time follows its pointer:
///
/// ```
/// use tile_passes::{MemrefNumber, Options, compile, embed};
///
/// let context = embed::context();
/// let text = "gpu.module @kernels { gpu.func @take(%A: memref<?x8xf32>) kernel { gpu.return } }";
/// let ptx = compile(&mut embed::parse(&context, text)?, &Options::new())?;
/// let [pointer, rows] = ptx.kernels[0].arguments.as_slice() else { panic!("a pointer and a number") };
/// assert_eq!((pointer.alignment, pointer.declared.as_deref()), (Some(256), Some("memref<?x8xf32>")));
/// assert_eq!((rows.number, rows.alignment), (Some(MemrefNumber::Extent(0)), None));
/// assert_eq!(pointer.location.as_ref().map(ToString::to_string).as_deref(), Some("-:1:38"));
/// # Ok::<(), tile_passes::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument {
    /// The type that is passed.
    pub r#type: ArgumentType,
    /// The promised alignment of a pointer's memory, in bytes.
    pub alignment: Option<u64>,
    /// The type in the `gpu.func`, such as `memref<32x32xf32>`; none where the module was lowered already.
    pub declared: Option<String>,
    /// The location where the `gpu.func` states it, if it is known.
    pub location: Option<Location>,
    /// Which number it is of the memref whose pointer precedes it; none where it is a separate argument.
    pub number: Option<MemrefNumber>,
    /// What a tensor map is made of, by the other arguments, as the PTX states it; empty where only the caller knows.
    pub map: Option<String>,
}

/// What is passed for an argument.
///
/// ```
/// use tile_passes::{ArgumentType, Options, compile, embed};
///
/// let context = embed::context();
/// let text = "gpu.module @kernels { gpu.func @take(%x: f32, %n: index, %A: memref<8xf32>) kernel { gpu.return } }";
/// let ptx = compile(&mut embed::parse(&context, text)?, &Options::new())?;
/// let types: Vec<_> = ptx.kernels[0].arguments.iter().map(|argument| argument.r#type).collect();
/// assert_eq!(types, [ArgumentType::Float { bits: 32 }, ArgumentType::Integer { bits: 64 }, ArgumentType::Pointer]);
/// # Ok::<(), tile_passes::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArgumentType {
    /// A 64-bit address: of the memory of a memref, before its offset.
    Pointer,
    /// An integer; of `index`, 64 bits.
    Integer {
        /// Its width.
        bits: u32,
    },
    /// A floating-point number.
    Float {
        /// Its width.
        bits: u32,
    },
    /// A tensor map: the 128 bytes that `cuTensorMapEncodeTiled` encodes.
    TensorMap,
    /// A vector or an aggregate; [`Argument::declared`] and the PTX say more.
    Other,
}

impl Argument {
    /// Its size, if it is a pointer, a number or a tensor map.
    ///
    /// ```
    /// use tile_passes::{Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let text = "gpu.module @kernels { gpu.func @take(%A: memref<8xf16>, %x: f16) kernel { gpu.return } }";
    /// let ptx = compile(&mut embed::parse(&context, text)?, &Options::new())?;
    /// assert_eq!(ptx.kernels[0].arguments.iter().map(|argument| argument.bytes()).collect::<Vec<_>>(), [Some(8), Some(2)]);
    /// # Ok::<(), tile_passes::Error>(())
    /// ```
    pub fn bytes(&self) -> Option<usize> {
        match self.r#type {
            ArgumentType::Pointer => Some(8),
            ArgumentType::Integer { bits } | ArgumentType::Float { bits } => Some(bits.div_ceil(8) as usize),
            ArgumentType::TensorMap => Some(MAP_BYTES as usize),
            ArgumentType::Other => None,
        }
    }
}

/// A parameter, as a `gpu.func` declares it.
#[derive(Clone)]
pub(crate) struct Declared {
    r#type: String,
    location: Option<Location>,
    number: Option<MemrefNumber>,
    alignment: Option<u64>,
}

/// The declarations of a module's `gpu.func`s, by the name of the kernel. Memrefs that state no alignment are aligned to the
/// given number of bytes.
pub(crate) fn declared(module: OperationRef<'_, '_>, bytes: u32) -> HashMap<String, Stated> {
    let kernels = promise::kernels(module).into_iter();
    let stated = |kernel| {
        let extents = block::grid(kernel).map(|extent| u32::try_from(extent?).ok());
        let grid = if let [Some(x), Some(y), Some(z)] = extents { Some([x, y, z]) } else { None };
        Stated { parameters: parameters(kernel, bytes), grid }
    };
    kernels.filter_map(|kernel| Some((interface::symbol_name(kernel)?, stated(kernel)))).collect()
}

/// The declaration of a kernel by its `gpu.func`.
pub(crate) struct Stated {
    parameters: Vec<Declared>,
    grid: Option<[u32; 3]>,
}

/// The parameters that the arguments of a kernel become: a memref's numbers follow its pointer.
fn parameters(kernel: OperationRef<'_, '_>, bytes: u32) -> Vec<Declared> {
    let body = kernel.region_at(0).and_then(|region| region.first_block());
    let argument = |index| body.as_ref().and_then(|body| body.argument_at(index));
    let inputs = (0..shim::inputs(kernel)).filter_map(|index| Some((index, argument(index)?)));
    let parameters = inputs.flat_map(|(index, argument)| {
        let memref = MemRefType::try_from(argument.r#type()).ok();
        let numbers = memref.and_then(|memref| open_numbers(index, memref).ok()).unwrap_or_default();
        let (r#type, location) = (argument.r#type().to_string(), location(argument.location()));
        let promised = stated_alignment(kernel, index).or_else(|| memref.map(|_| u64::from(bytes)));
        let declare = move |number: Option<MemrefNumber>| Declared {
            r#type: r#type.clone(),
            location: location.clone(),
            number,
            alignment: promised.filter(|_| number.is_none()),
        };
        std::iter::once(None).chain(numbers.into_iter().map(Some)).map(declare).collect::<Vec<_>>()
    });
    parameters.collect()
}

/// Comments that state the declared arguments of the kernels, a line for each argument of a `gpu.func`, and their grids.
///
/// ```text
/// // argument of copy at copy.mlir:5:18: memref<?x?xf16>
/// // grid of copy: 16x8x1
/// ```
pub(crate) fn comments(kernels: &[Kernel]) -> String {
    let mut text = String::new();
    for kernel in kernels {
        let written = |argument: &&Argument| argument.number.is_none() && argument.r#type != ArgumentType::TensorMap;
        for argument in kernel.arguments.iter().filter(written) {
            let place = argument.location.as_ref().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
            let declared = argument.declared.as_deref().unwrap_or("unknown");
            // A file's name may have a line break in it.
            let line = format!("argument of {} at {place}: {declared}", kernel.name).replace(['\n', '\r'], " ");
            let _ = writeln!(text, "// {line}");
        }
        if let Some(grid) = kernel.grid {
            let _ = writeln!(text, "// grid of {}: {}", kernel.name, by_x(grid));
        }
    }
    text
}

/// The kernels of a module that is in the LLVM dialect.
pub(crate) fn collect(module: OperationRef<'_, '_>, declared: &HashMap<String, Stated>) -> Vec<Kernel> {
    lowered(module).filter_map(|op| read(module, op, declared)).collect()
}

pub(super) fn lowered<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let functions = walk::named(module, llvm::LLVMFuncOp::NAME).into_iter();
    functions.filter(|op| op.has_attribute(nvvm::attribute::KERNEL_FUNC))
}

/// Comments below the PTX of a module in the LLVM dialect that state what its directives cannot: a line for each kernel with
/// dynamic shared memory, and for each tensor map, with what it is made of, and, with `line_info`, where its copy and its tile are.
///
/// ```text
/// // dynamic shared memory of copy: 65536 bytes
/// // tensor map of copy, parameter 2: base=p0,type=f16,dims=512xp1,strides=1024,box=64x64,swizzle=128,…
/// ```
pub(crate) fn launch_comments(module: OperationRef<'_, '_>, line_info: bool) -> String {
    let mut text = String::new();
    for kernel in lowered(module) {
        let Some(name) = interface::symbol_name(kernel) else { continue };
        let bytes = LaunchNeeds::of(kernel).dynamic_shared;
        if bytes > 0 {
            let _ = writeln!(text, "// dynamic shared memory of {name}: {bytes} bytes");
        }
        for (index, map) in argument::stated(kernel) {
            let places = if line_info { argument::places(kernel, index) } else { None };
            let map = if map.is_empty() { "unknown" } else { &map };
            let _ = writeln!(text, "// tensor map of {name}, parameter {index}: {map}{}", places.unwrap_or_default());
        }
    }
    text
}

fn read(
    module: OperationRef<'_, '_>,
    kernel: OperationRef<'_, '_>,
    declared: &HashMap<String, Stated>,
) -> Option<Kernel> {
    let (name, needs) = (interface::symbol_name(kernel)?, LaunchNeeds::of(kernel));
    let types = arguments(kernel);
    let stated = declared.get(&name);
    let maps = argument::stated(kernel);
    // Maps that the compiler has added come last.
    let is_complete = |before: &&Vec<Declared>| {
        let added = maps.iter().filter(|(index, _)| *index >= before.len()).count();
        before.len() + added == types.len()
    };
    let before = stated.map(|stated| &stated.parameters).filter(is_complete);
    let argument = |(index, r#type): (usize, &Type<'_>)| {
        let before = before.and_then(|before| before.get(index));
        let map = maps.iter().find(|map| map.0 == index).map(|(_, text)| text.clone());
        Argument {
            r#type: if map.is_some() { ArgumentType::TensorMap } else { argument_type(*r#type) },
            // The alignment that LLVM gets also divides the size of the memref; copies rely on all that was promised.
            alignment: before.and_then(|before| before.alignment).or_else(|| stated_alignment(kernel, index)),
            declared: before.map(|before| before.r#type.clone()),
            location: before.and_then(|before| before.location.clone()),
            number: before.and_then(|before| before.number),
            map,
        }
    };
    Some(Kernel {
        arguments: types.iter().enumerate().map(argument).collect(),
        required_threads: needs.required_threads,
        max_threads: needs.max_threads,
        cluster: needs.cluster,
        grid: stated.and_then(|stated| stated.grid),
        static_shared: shared_memory::static_bytes(module, kernel),
        dynamic_shared: needs.dynamic_shared,
        name,
    })
}

/// The `llvm.align` of an argument.
fn stated_alignment(function: OperationRef<'_, '_>, index: usize) -> Option<u64> {
    let attributes = interface::argument_attributes(function)?;
    let value = dictionary_entry(attributes.element(index).ok()?, llvm::attribute::ALIGN)?;
    u64::try_from(IntegerAttribute::try_from(value).ok()?.value()).ok()
}

/// The types of the arguments of a function's body.
fn arguments<'c>(function: OperationRef<'c, '_>) -> Vec<Type<'c>> {
    let body = function.region_at(0).and_then(|region| region.first_block());
    body.map_or_else(Vec::new, |body| arguments_of(body).into_iter().map(|argument| argument.r#type()).collect())
}

fn argument_type(r#type: Type<'_>) -> ArgumentType {
    match bit_width(r#type) {
        _ if llvm_type::is_pointer(r#type) => ArgumentType::Pointer,
        Some(bits) if r#type.is_integer() => ArgumentType::Integer { bits },
        Some(bits) => ArgumentType::Float { bits },
        None => ArgumentType::Other,
    }
}
