//! Promises of kernels' callers about memref arguments, as attributes of these.
//!
//! The first pass that relies on `llvm.align` writes it; every later pass reads it there. One that is there already takes
//! precedence over the option `argument-alignment`.

mod capture;

use melior::ir::attribute::DictionaryAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, BlockLike, Identifier, OperationRef, RegionLike, ValueLike};
use rustc_hash::FxHashMap;
use tile_dialect::Ctx;
use tile_dialect::ir::{Arguments, Ir, Rewriter};
use tile_dialect::ir::{Parts, as_argument};
use tile_dialect::memref::dictionary_entry;
use tile_ops::{func, gpu, interface, llvm, memref};

use crate::options::LoweringOptions;
use crate::read::kernel;
use crate::{shim, walk};

/// The kernels at or below `root`.
pub fn kernels<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let functions = walk::matching(root, |name| matches!(name, gpu::GPUFuncOp::NAME | func::FuncOp::NAME));
    functions.into_iter().filter(|&op| kernel::is_entry(op)).collect()
}

/// Writes the alignment of the memref arguments of every kernel at or below the root, where none is written. A `gpu.launch` has
/// no arguments yet, so its body states it for the values that it captures.
pub fn write_alignment(ir: &mut Ir<'_>, options: &LoweringOptions) {
    for kernel in kernels(ir.root()) {
        let assumed = assumptions(kernel);
        let align = |index| {
            let bytes = assumed.get(&index).copied().unwrap_or(options.argument_bytes);
            Ctx::of(kernel).integer_attribute(64, bytes)
        };
        amend(ir.rewriter(), kernel, |(index, _), given| Ok(given.or_insert(llvm::attribute::ALIGN, align(index))))
            .expect("nothing is refused");
    }
    for launch in walk::named(ir.root(), gpu::LaunchOp::NAME) {
        capture::write_alignment(launch, options.argument_bytes, ir.rewriter());
    }
}

/// The alignments of arguments that the body states, by their numbers, as [`write_alignment`] has written them in the
/// `gpu.launch` from which the kernel was outlined.
pub fn assumptions(kernel: OperationRef<'_, '_>) -> FxHashMap<usize, i64> {
    let mut least = FxHashMap::default();
    for op in walk::named(kernel, memref::AssumeAlignmentOp::NAME) {
        let argument = op.operand_at(0).and_then(as_argument);
        let base = argument.filter(|argument| argument.owner().parent_operation() == Some(kernel));
        if let (Some(argument), Some(bytes)) = (base, memref::AssumeAlignmentOp::cast(op).and_then(|op| op.alignment()))
        {
            let known = least.entry(argument.argument_number()).or_insert(bytes);
            *known = bytes.min(*known);
        }
    }
    least
}

/// Attributes of one argument, to which others can be added.
pub struct Promises<'c> {
    context: Ctx<'c>,
    entries: Vec<(Identifier<'c>, Attribute<'c>)>,
}

impl<'c> Promises<'c> {
    /// Adds an attribute, unless there is one of that name.
    #[must_use]
    pub fn or_insert(self, name: &str, value: Attribute<'c>) -> Self {
        if self.get(name).is_some() { self } else { self.insert(name, value) }
    }

    /// Adds an attribute, in place of one of that name.
    #[must_use]
    pub fn insert(mut self, name: &str, value: Attribute<'c>) -> Self {
        let name = self.context.identifier(name);
        self.entries.retain(|(known, _)| *known != name);
        self.entries.push((name, value));
        self
    }

    /// The attribute of that name.
    pub fn get(&self, name: &str) -> Option<Attribute<'c>> {
        dictionary_entry(self.context.dictionary(&self.entries), name)
    }
}

/// Changes the attributes of each memref argument of a function with a body. `change` receives the argument's number and type.
///
/// # Errors
/// The first error of `change`; then nothing is changed.
pub fn amend<'c: 'a, 'a>(
    rewriter: Rewriter<'c, 'a>,
    function: OperationRef<'c, 'a>,
    mut change: impl FnMut((usize, MemRefType<'c>), Promises<'c>) -> Result<Promises<'c>, String>,
) -> Result<(), String> {
    let Some(body) = function.regions().next().and_then(|region| region.first_block()) else { return Ok(()) };
    let context = Ctx::of(function);
    let given = interface::argument_attributes(function);
    let mut lists = Vec::new();
    for index in 0..shim::inputs(function) {
        let r#type = body.argument_at(index).ok_or("has no argument for one of its inputs")?.r#type();
        let entry = given.and_then(|list| list.element(index).ok());
        let stated = entry.and_then(|entry| DictionaryAttribute::try_from(entry).ok()).map(entries).unwrap_or_default();
        let mut promises = Promises { context, entries: stated };
        if let Ok(memref) = MemRefType::try_from(r#type) {
            promises = change((index, memref), promises)?;
        }
        lists.push(context.dictionary(&promises.entries));
    }
    if !lists.is_empty() {
        interface::set_argument_attributes(rewriter, function, &lists);
    }
    Ok(())
}

fn entries<'c>(dictionary: DictionaryAttribute<'c>) -> Vec<(Identifier<'c>, Attribute<'c>)> {
    (0..dictionary.len()).filter_map(|index| dictionary.element(index).ok()).collect()
}
