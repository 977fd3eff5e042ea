//! The functions that C++ calls (`cpp/Bridge.h`). None of them unwinds.

use std::ffi::c_void;
use std::mem::ManuallyDrop;

use melior::ir::{Module, OperationRef};
use mlir_sys::{MlirOperation, MlirStringRef};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_plan::target::Target;

use crate::error::Error;
use crate::families::assumed;
use crate::options::LoweringOptions;
use crate::read::ranges::Ranges;
use crate::read::target;
use crate::shim::{PassOptions, StringCallback, bytes, text};
use crate::{
    align, bounds, buffers, compile, contracts, elementwise, expand, inline, kernels, launches, layouts, math, mma,
    needed, nesting, pipeline, portable, promise, ptx, sort, stated_copies, sync, tensor_maps, tensor_memory, traffic,
    unlowered, upstream_copies, vectorize, versions, write_out,
};

/// Runs a pass after what all planning passes share: from here on the IR states the chip and the alignment of arguments.
fn plan(op: MlirOperation, raw: PassOptions, run: impl FnOnce(&mut Ir<'_>, &LoweringOptions) -> bool) -> bool {
    pass(op, raw, |ir, options| {
        if !begin(ir, options) || !layouts::are_chosen(ir.root()) {
            return false;
        }
        let expanded = versions::expand(ir, options, false);
        // Arguments that are tiles become pointers first, which then get the promises.
        let converted = expanded && buffers::convert(ir);
        promise::write_alignment(ir, options);
        converted
            && tensor_memory::run(ir, options)
            && elementwise::run(ir, options)
            && mma::run(ir, options)
            && run(ir, options)
    })
}

/// What all passes begin with that read copies: the IR states the chip, nothing is written short, and copies that ops of other dialects
/// state are ours. `false`, after errors, where one cannot be.
pub(crate) fn begin(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    target::retarget(ir, options);
    write_out::for_copies(ir);
    stated_copies::lower(ir)
}

/// Runs a pass without options.
fn plain(op: MlirOperation, run: impl FnOnce(&mut Ir<'_>) -> bool) -> bool {
    // SAFETY: as in `pass`.
    unsafe { guard::on_op(OperationRef::from_raw(op), false, || run(&mut Ir::from_raw(op))) }
}

pub(crate) fn pass(
    op: MlirOperation,
    raw: PassOptions,
    run: impl FnOnce(&mut Ir<'_>, &LoweringOptions) -> bool,
) -> bool {
    // SAFETY: C++ passes a valid op, the one that MLIR runs a pass on: until the pass ends nothing else accesses what is below
    // it.
    unsafe {
        guard::on_op(OperationRef::from_raw(op), false, || {
            let mut ir = Ir::from_raw(op);
            let options = LoweringOptions::read(ir.root(), raw);
            options.is_some_and(|options| run(&mut ir, &options))
        })
    }
}

#[unsafe(no_mangle)]
extern "C" fn tileConvertBuffers(op: MlirOperation) -> bool {
    plain(op, |ir| {
        write_out::structure(ir);
        buffers::convert(ir)
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileInline(op: MlirOperation, options: PassOptions, keep_calls: bool) -> bool {
    pass(op, options, |ir, options| inline::run(ir, options, keep_calls))
}

#[unsafe(no_mangle)]
extern "C" fn tileExpandVersions(op: MlirOperation, options: PassOptions, once: bool) -> bool {
    pass(op, options, |ir, options| begin(ir, options) && versions::expand(ir, options, once))
}

#[unsafe(no_mangle)]
extern "C" fn tileCanCopy(op: MlirOperation, say: StringCallback, user_data: *mut c_void) -> bool {
    // SAFETY: C++ passes a valid op, which is not changed during the call.
    let asked =
        guard::quiet(|| upstream_copies::can_copy(unsafe { OperationRef::from_raw(op) }, &LoweringOptions::default()));
    let outcome = asked.unwrap_or_else(|panicked| Err(panicked.into()));
    if let Err(reason) = &outcome {
        // SAFETY: the callback takes the string during the call.
        unsafe { say(MlirStringRef { data: reason.as_ptr().cast(), length: reason.len() }, user_data) };
    }
    outcome.is_ok()
}

#[unsafe(no_mangle)]
extern "C" fn tileReportStays(op: MlirOperation, why: upstream_copies::NotConverted, reason: MlirStringRef) {
    // SAFETY: C++ passes a valid op and a valid string.
    let _ = guard::quiet(|| unsafe { upstream_copies::report(OperationRef::from_raw(op), why, text(reason)) });
}

#[unsafe(no_mangle)]
extern "C" fn tileAlignLayouts(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, align::run)
}

#[unsafe(no_mangle)]
extern "C" fn tileVectorizeCopy(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, |ir, options| assumed::check(ir, options) && vectorize::run(ir, options))
}

#[unsafe(no_mangle)]
extern "C" fn tileExpandCopy(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, |ir, options| assumed::check(ir, options) && expand::run(ir, options))
}

#[unsafe(no_mangle)]
extern "C" fn tileLowerCopy(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, |ir, options| {
        let stages: [fn(&mut Ir<'_>, &LoweringOptions) -> bool; 4] =
            [assumed::check, align::run, vectorize::run, expand::run_at_once];
        stages.into_iter().all(|stage| stage(ir, options))
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileCheckSync(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, sync::check::run)
}

#[unsafe(no_mangle)]
extern "C" fn tilePrintDependences(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, sync::print::run)
}

#[unsafe(no_mangle)]
extern "C" fn tileChooseLayouts(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, |ir, options| {
        let begun = begin(ir, options);
        promise::write_alignment(ir, options);
        begun && layouts::run(ir, options)
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileDeny(op: MlirOperation, count: isize, costs: *const MlirStringRef) -> bool {
    plain(op, |ir| {
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: C++ passes so many strings, which it keeps alive during the call.
        let words = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(costs, count) } };
        // SAFETY: as above.
        let words: Vec<String> = words.iter().map(|&word| unsafe { text(word) }.to_owned()).collect();
        contracts::deny(ir, &words)
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileReportMemory(op: MlirOperation, options: PassOptions, worst: u32) -> bool {
    plan(op, options, |ir, options| traffic::report(ir, options, worst as usize))
}

#[unsafe(no_mangle)]
extern "C" fn tileInsertSync(
    op: MlirOperation,
    options: PassOptions,
    remove: bool,
    where_needed: bool,
    allow_unordered: bool,
) -> bool {
    plan(op, options, |ir, options| {
        if where_needed {
            needed::order(ir, options, (remove, allow_unordered))
        } else {
            sync::insert::run(ir, options, remove)
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn tilePipeline(
    op: MlirOperation,
    options: PassOptions,
    where_needed: bool,
    maps: bool,
    allow_unordered: bool,
) -> bool {
    plan(op, options, |ir, options| match where_needed {
        true => needed::pipeline(ir, options, maps, allow_unordered),
        false => pipeline::run(ir, options, maps),
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileMakeMaps(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, |ir, options| tensor_maps::run(ir, options, sync::check::out_of_order))
}

#[unsafe(no_mangle)]
extern "C" fn tilePlanMemory(op: MlirOperation, options: PassOptions, where_needed: bool) -> bool {
    plan(
        op,
        options,
        |ir, options| {
            if where_needed { needed::plan_memory(ir, options) } else { sync::memory::run(ir, options) }
        },
    )
}

#[unsafe(no_mangle)]
extern "C" fn tileWriteOutBounds(op: MlirOperation) {
    plain(op, |ir| {
        write_out::for_bounds(ir);
        true
    });
}

#[unsafe(no_mangle)]
extern "C" fn tileInsertBoundsTraps(op: MlirOperation, solver: *const c_void) -> bool {
    with_ranges(op, solver, |ir, ranges| stated_copies::lower(ir) && bounds::traps::run(ir, ranges))
}

#[unsafe(no_mangle)]
extern "C" fn tileCheckBounds(op: MlirOperation, solver: *const c_void, strict: bool) -> bool {
    with_ranges(op, solver, |ir, ranges| stated_copies::lower(ir) && bounds::check(ir, ranges, strict))
}

/// Runs a pass with the results of a solver.
fn with_ranges(op: MlirOperation, solver: *const c_void, run: impl FnOnce(&mut Ir<'_>, &Ranges<'_>) -> bool) -> bool {
    // SAFETY: as in `pass`; the solver outlives the call.
    unsafe { guard::on_op(OperationRef::from_raw(op), false, || run(&mut Ir::from_raw(op), &Ranges::new(solver))) }
}

#[unsafe(no_mangle)]
extern "C" fn tileLowerScan(op: MlirOperation, options: PassOptions) -> bool {
    plan(op, options, sort::run)
}

#[unsafe(no_mangle)]
extern "C" fn tilePrepareKernels(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, kernels::prepare)
}

#[unsafe(no_mangle)]
extern "C" fn tileFinishKernels(op: MlirOperation) -> bool {
    plain(op, |ir| {
        let complete = kernels::finish(ir);
        kernels::pad(ir);
        complete
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileCheckNesting(text: MlirStringRef, line: *mut u64, column: *mut u64) -> bool {
    // SAFETY: C++ passes a valid string, which need not be Unicode.
    let text = unsafe { bytes(text) };
    match guard::quiet(|| nesting::check(text)) {
        Ok(Ok(())) => true,
        Ok(Err(place)) => {
            // SAFETY: C++ passes valid pointers for both.
            unsafe {
                line.write(place.line);
                column.write(place.column);
            }
            false
        }
        Err(_) => false,
    }
}

#[unsafe(no_mangle)]
extern "C" fn tileLowerMath(op: MlirOperation) -> bool {
    plain(op, math::run)
}

#[unsafe(no_mangle)]
extern "C" fn tileTestPanic(op: MlirOperation) -> bool {
    plain(op, |_| panic!("as a test wants it to"))
}

#[unsafe(no_mangle)]
extern "C" fn tileHasRedux(op: MlirOperation) -> bool {
    on_chip(op, Target::has_redux)
}

#[unsafe(no_mangle)]
extern "C" fn tileHasBf16Atomics(op: MlirOperation) -> bool {
    on_chip(op, Target::has_bf16_atomics)
}

/// Whether the chip that an op is compiled for has something.
fn on_chip(op: MlirOperation, has: fn(&Target) -> bool) -> bool {
    // SAFETY: C++ passes a valid op, which it does not change meanwhile.
    let root = unsafe { OperationRef::from_raw(op) };
    guard::on_op(root, false, || target::resolve(root, None).is_ok_and(|target| has(&target)))
}

#[unsafe(no_mangle)]
extern "C" fn tileEmbedPtx(op: MlirOperation) -> bool {
    plain(op, ptx::embed)
}

#[unsafe(no_mangle)]
extern "C" fn tileFinishHost(op: MlirOperation) -> bool {
    plain(op, |ir| unlowered::check_host(ir.root()))
}

#[unsafe(no_mangle)]
extern "C" fn tileFinishLaunches(op: MlirOperation) -> bool {
    plain(op, |ir| tensor_maps::encode::pass(ir) && launches::finish(ir))
}

#[unsafe(no_mangle)]
extern "C" fn tileToPtx(
    module: MlirOperation,
    chip: MlirStringRef,
    gpu_module: MlirStringRef,
    passes: MlirStringRef,
    line_info: bool,
    declarations: bool,
    print: StringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes a valid op and valid strings. The module is C++'s, which frees it, and lends it to nothing else.
    let (op, module, chip, gpu_module, passes) = unsafe {
        let (op, module) = (OperationRef::from_raw(module), mlir_sys::mlirModuleFromOperation(module));
        (op, Module::from_option_raw(module).map(ManuallyDrop::new), text(chip), text(gpu_module), text(passes))
    };
    let Some(mut module) = module else {
        Diagnostic::error("is not a module, expected builtin.module").emit(op);
        return false;
    };
    guard::on_op(op, false, || {
        let name = |name: &str| (!name.is_empty()).then(|| name.to_owned());
        let options = crate::Options {
            chip: name(chip),
            gpu_module: name(gpu_module),
            passes: name(passes),
            line_info,
            ..Default::default()
        };
        match compile::compile_reporting(&mut module, &options) {
            Ok(ptx) => {
                let comments = if declarations { ptx::kernels::comments(&ptx.kernels) } else { String::new() };
                let text = ptx.text + &comments;
                // SAFETY: the callback takes the string during the call.
                unsafe { print(MlirStringRef { data: text.as_ptr().cast(), length: text.len() }, user_data) };
                true
            }
            Err(Error::Refused { .. }) => false,
            Err(error) => {
                Diagnostic::error(error.to_string()).emit(op);
                false
            }
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileToPortable(
    module: MlirOperation,
    chip: MlirStringRef,
    scan: MlirStringRef,
    language: MlirStringRef,
    print: StringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: as in `tileToPtx`.
    let (op, module, chip, scan, language) = unsafe {
        let (op, module) = (OperationRef::from_raw(module), mlir_sys::mlirModuleFromOperation(module));
        (op, Module::from_option_raw(module).map(ManuallyDrop::new), text(chip), text(scan), text(language))
    };
    let Some(module) = module else {
        Diagnostic::error("is not a module, expected builtin.module").emit(op);
        return false;
    };
    guard::on_op(op, false, || {
        let parsed = language.parse().map_err(|reason| Error::Options { reason });
        let [target, scan] = [chip, scan].map(|name| (!name.is_empty()).then_some(name));
        match parsed.and_then(|language| portable::translate(&module, target, scan, language)) {
            Ok(bytes) => {
                // SAFETY: the callback takes the bytes during the call.
                unsafe { print(MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() }, user_data) };
                true
            }
            Err(Error::Refused { .. }) => false,
            Err(error) => {
                Diagnostic::error(error.to_string()).emit(op);
                false
            }
        }
    })
}
