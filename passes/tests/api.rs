//! The compiler as an embedding program sees it: from memref text to PTX, and errors as values.

use tile_passes::{ArgumentType, Diagnostic, Error, Location, MemrefNumber, Options, Severity, compile, embed};

/// A copy through shared memory, of a region of this many rows.
fn text(rows: usize) -> String {
    format!(
        "gpu.module @kernels {{
  gpu.func @copy(%A: memref<64x32xf32>, %B: memref<{rows}x32xf32>, %first: index, %scale: f16) kernel
      attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %a = tile.view %A : memref<64x32xf32> to !tile.buffer<64x32xf32, global>
    %s = tile.alloc : !tile.buffer<{rows}x32xf32, shared>
    tile.copy %a[%first, 0] [{rows}, 32] to %s scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<{rows}x32xf32, shared>
    gpu.barrier
    %b = tile.view %B : memref<{rows}x32xf32> to !tile.buffer<{rows}x32xf32, global>
    tile.copy %s to %b scope(cta) : !tile.buffer<{rows}x32xf32, shared> to !tile.buffer<{rows}x32xf32, global>
    gpu.return
  }}
}}"
    )
}

fn compiled(text: &str, options: &Options) -> Result<tile_passes::Ptx, Error> {
    let context = embed::context();
    compile(&mut embed::parse_named(&context, text, "copy.mlir")?, options)
}

fn at(line: u32, column: u32) -> Option<Location> {
    Some(Location { file: "copy.mlir".to_owned(), line, column })
}

fn errors(error: &Error) -> Vec<&Diagnostic> {
    error.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect()
}

#[test]
fn memrefs_become_ptx() {
    let ptx = compiled(&text(16), &Options::new().chip("sm_90a")).expect("a copy that can be done");
    assert!(ptx.text.contains(".target sm_90a") && ptx.text.contains("ld.global"), "{}", ptx.text);
    assert_eq!((ptx.chip.as_str(), ptx.ptx_version, ptx.diagnostics.len()), ("sm_90a", 83, 0));
    let [kernel] = ptx.kernels.as_slice() else { panic!("got {:?}", ptx.kernels) };
    assert_eq!(kernel.name, "copy");
    assert_eq!((kernel.required_threads, kernel.max_threads, kernel.cluster), (Some([128, 1, 1]), None, None));
    let arguments: Vec<_> =
        kernel.arguments.iter().map(|a| (a.r#type, a.alignment, a.declared.as_deref().unwrap_or("?"))).collect();
    assert_eq!(
        arguments,
        [
            (ArgumentType::Pointer, Some(256), "memref<64x32xf32>"),
            (ArgumentType::Pointer, Some(256), "memref<16x32xf32>"),
            (ArgumentType::Integer { bits: 64 }, None, "index"),
            (ArgumentType::Float { bits: 16 }, None, "f16"),
        ]
    );
}

#[test]
fn parameters_are_arguments_or_numbers_of_memrefs() {
    let text = "gpu.module @kernels {\n  gpu.func @rows(%A: memref<?x8xf16, strided<[?, 1]>>, %n: i32) \
                workgroup(%S: memref<4xf16, 3>) kernel {\n    gpu.return\n  }\n}";
    let ptx = compiled(text, &Options::new().chip("sm_90a")).expect("a kernel that does nothing");
    let numbers: Vec<_> = ptx.kernels[0].arguments.iter().map(|arg| (arg.number, arg.declared.as_deref())).collect();
    let memref = Some("memref<?x8xf16, strided<[?, 1]>>");
    let (extent, stride) = (MemrefNumber::Extent(0), MemrefNumber::Stride(0));
    assert_eq!(numbers, [(None, memref), (Some(extent), memref), (Some(stride), memref), (None, Some("i32"))]);
    assert_eq!(ptx.kernels[0].arguments[3].location.as_ref().map(|place| (place.line, place.column)), Some((2, 56)));
}

#[test]
fn options_reach_the_passes() {
    let with = |options: Options| compiled(&text(16), &options.chip("sm_90a")).expect("a copy that can be done");
    let wide = with(Options::new());
    assert!(wide.text.contains("ld.global.nc.v4") && !wide.text.contains(".loc"));
    let narrow = with(Options::new().max_vector_bits(32).argument_alignment(4));
    assert!(!narrow.text.contains(".v4") && narrow.text.contains(".align 4 copy_param_0"), "{}", narrow.text);
    assert_eq!(narrow.kernels[0].arguments[0].alignment, Some(4));
    let older = with(Options::new().features("+ptx80"));
    assert!(older.ptx_version == 80 && older.text.contains(".version 8.0"), "{}", older.text);
    assert!(with(Options::new().line_info(true)).text.contains(".loc"));
    assert_eq!(with(Options::new().gpu_module("kernels")), wide);
    let error = compiled(&text(16), &Options::new().variants(["reg"])).expect_err("no variant takes it");
    assert!(
        errors(&error).iter().any(|diagnostic| diagnostic.notes.iter().any(|note| note.message.contains("variants"))),
        "{error}"
    );
}

#[test]
fn a_refused_copy_is_an_error_with_its_place() {
    let forced = text(16)
        .replace("scope(cta) : !tile.buffer<64x32", "scope(cta) {variant = \"ldstmatrix\"} : !tile.buffer<64x32");
    let error = compiled(&forced, &Options::new().chip("sm_90a")).expect_err("no fragment is there");
    let Error::Refused { diagnostics } = &error else { panic!("got {error:?}") };
    let [diagnostic] = diagnostics.as_slice() else { panic!("got {diagnostics:?}") };
    assert_eq!((diagnostic.severity, &diagnostic.location), (Severity::Error, &at(6, 5)));
    assert!(diagnostic.message.contains("'ldstmatrix'"), "{diagnostic}");
    assert!(error.to_string().starts_with("copy.mlir:6:5: error: "), "{error}");
}

#[test]
fn warnings_come_with_the_ptx() {
    // Rows that begin at run time, and are grouped in eights.
    let eights = "!tile.buffer<64x32xf32, global, #tile.layout<(8, 8, 32) : (32, 256, 1)>>";
    let text = text(16).replace("!tile.buffer<64x32xf32, global>", eights);
    let ptx = compiled(&text, &Options::new().chip("sm_90a")).expect("the fallback takes it");
    let warnings: Vec<_> = ptx.diagnostics.iter().filter(|report| report.severity == Severity::Warning).collect();
    assert_eq!(warnings.iter().map(|warning| &warning.location).collect::<Vec<_>>(), [&at(6, 5)]);
    assert!(warnings[0].notes.iter().any(|note| note.message.contains("gmem_smem declined")), "{}", warnings[0]);
}

#[test]
fn text_that_is_no_ir_is_an_error_with_its_place() {
    let malformed = |text: &str| match compiled(text, &Options::new()) {
        Err(Error::Malformed { diagnostics }) => diagnostics[0].clone(),
        other => panic!("got {other:?}"),
    };
    let diagnostic = malformed(&text(16).replace("tile.alloc :", "tile.allocate :"));
    assert_eq!(diagnostic.location, at(5, 10));
    // The verifier, with a note elsewhere.
    let diagnostic = malformed(&text(16).replace("[16, 32] to", "[65, 32] to"));
    assert_eq!((diagnostic.location.clone(), diagnostic.severity), (at(6, 5), Severity::Error));
    assert_eq!(malformed("module {}\0").location, at(1, 1));
    assert_eq!(malformed(&format!("\n{}", "module {".repeat(1000))).location, at(2, 256 * 8 + 8));
}

#[test]
fn options_that_make_no_sense_are_errors() {
    let error = |options: &Options| compiled(&text(16), options).expect_err("a wrong option");
    assert!(matches!(error(&Options::new().chip("sm_1")), Error::Chip(_)));
    assert!(matches!(error(&Options::new().features("+ptx1")), Error::Feature(_)));
    assert!(matches!(compiled("", &Options::new()), Err(Error::GpuModule { .. })));
    assert!(matches!(error(&Options::new().gpu_module("other")), Error::GpuModule { .. }));
    let variant = error(&Options::new().variants(["a b}"]));
    assert!(matches!(&variant, Error::Options { reason } if reason.contains("\"a b}\"")), "{variant:?}");
    let alignment = error(&Options::new().argument_alignment(3));
    assert!(matches!(&alignment, Error::Options { reason } if reason.contains('3')), "{alignment:?}");
}

#[test]
fn an_operation_that_the_chip_does_not_have_is_an_error_and_not_the_end() {
    let text = "gpu.module @kernels {
  gpu.func @wait(%flag: memref<1xi1>, %barrier: !llvm.ptr<3>, %phase: i32) kernel {
    %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
    %c0 = arith.constant 0 : index
    memref.store %done, %flag[%c0] : memref<1xi1>
    gpu.return
  }
}";
    let on = |chip: &'static str| move || compiled(text, &Options::new().chip(chip));
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(on("sm_80"))).collect();
    for thread in threads {
        let error = thread.join().expect("no panic").expect_err("sm_80 has no try_wait");
        assert!(matches!(&error, Error::BackEnd { reason } if reason.starts_with("Cannot select")), "{error:?}");
        let message = error.to_string();
        assert!(message.starts_with("LLVM cannot compile this program for the chip: Cannot select"), "{message}");
    }
    let ptx = on("sm_90a")().expect("sm_90a has try_wait");
    assert!(ptx.text.contains("mbarrier.try_wait"), "{}", ptx.text);
}

#[test]
fn static_shared_memory_is_what_a_kernel_and_its_callees_refer_to() {
    let text = "gpu.module @kernels {
  memref.global \"private\" @partial : memref<7xf16, #gpu.address_space<workgroup>>
  memref.global \"private\" @unused : memref<999xf32, #gpu.address_space<workgroup>>
  func.func @put(%i: index, %x: f16) {
    %p = memref.get_global @partial : memref<7xf16, #gpu.address_space<workgroup>>
    memref.store %x, %p[%i] : memref<7xf16, #gpu.address_space<workgroup>>
    return
  }
  gpu.func @calls(%i: index, %x: f16) workgroup(%w: memref<33xi8, #gpu.address_space<workgroup>>) kernel
      attributes {tile.order = \"by_hand\"} {
    %b = arith.constant 1 : i8
    memref.store %b, %w[%i] : memref<33xi8, #gpu.address_space<workgroup>>
    func.call @put(%i, %x) : (index, f16) -> ()
    gpu.return
  }
  gpu.func @uses_none() kernel { gpu.return }
}";
    let ptx = compiled(text, &Options::new().chip("sm_90a")).expect("kernels without copies");
    let bytes: Vec<_> = ptx.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.static_shared)).collect();
    // 14 bytes of @partial and 33 bytes.
    assert_eq!(bytes, [("calls", 47), ("uses_none", 0)]);
}
