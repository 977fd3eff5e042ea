/* The whole C interface, with its errors for wrong arguments.
 *
 * REQUIRES: cmake
 * A package that was moved after it was installed.
 * RUN: rm -rf %t && mkdir -p %t && cp -r %tile_package %t/moved
 * RUN: cmake -S %S -B %t/build -DCMAKE_PREFIX_PATH=%t/moved > %t/log
 * RUN: cmake --build %t/build --target program >> %t/log
 * RUN: %t/build/program %tile_source/test/Seeds/gmem_smem.mlir %t/ptx | FileCheck %s
 *
 * The PTX is the same as from the tools, also after these were moved.
 * RUN: tile-translate --tile-to-ptx --chip=sm_90a %tile_source/test/Seeds/gmem_smem.mlir | diff %t/ptx -
 * RUN: %t/moved/bin/tile-translate --tile-to-ptx --chip=sm_90a %tile_source/test/Seeds/gmem_smem.mlir | diff %t/ptx -
 */

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "tile-c/Compile.h"
#include "tile-c/Dialect.h"
#include "tile-c/Layout.h"
#include "tile-c/Patterns.h"
#include "tile-c/Simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(MlirStringRef text, void *prefix) {
  printf("%s: %.*s\n", (const char *)prefix, (int)text.length, text.data);
}

static const MlirTileErrorHandler onError = {print, "error"};

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static void place(int64_t axis, int64_t value, void *userData) {
  (void)userData;
  MlirStringRef name = mlirTileAxisGetName(axis);
  printf(" %.*s=%ld", (int)name.length, name.data, (long)value);
}

static void layouts(MlirContext context) {
  printf("layouts\n");
  int64_t memory = mlirTileAxisFromName(ref("m"));
  MlirTileIter iters[] = {{16, 64, memory}, {64, 1, memory}};
  MlirTileSwizzle swizzle = {3, 3, 3, true};
  MlirAttribute layout =
      mlirTileLayoutAttrGet(context, 2, iters, 0, NULL, &swizzle, onError);
  MlirTileIter iter;
  MlirTileSwizzle got;
  printf("%ld iters, %ld of replica, swizzle %d\n",
         (long)mlirTileLayoutAttrGetShardSize(layout),
         (long)mlirTileLayoutAttrGetReplicaSize(layout),
         mlirTileLayoutAttrGetSwizzle(layout, &got));
  if (mlirTileLayoutAttrGetShard(layout, 0, &iter))
    printf("iter 0 is %ld:%ld\n", (long)iter.extent, (long)iter.stride);

  printf("element 64 is at");
  mlirTileLayoutApply(layout, 64, place, NULL, onError);
  printf("\n");
  int64_t width =
      mlirTileLayoutWidestVector(layout, 2, 128, 64, print, "why", onError);
  printf("widest: %ld\n", (long)width);
  MlirTileBanks banks;
  if (mlirTileLayoutBankConflicts(layout, 2, 0, 8, ref("sm_90a"), &banks,
                                  onError))
    printf("wavefronts: %ld of %ld\n", (long)banks.wavefronts,
           (long)banks.least);
  int64_t laneid = mlirTileAxisFromName(ref("laneid"));
  MlirTileIter columns[] = {{32, 64, memory}, {4, 1, memory}};
  MlirAttribute column =
      mlirTileLayoutAttrGet(context, 2, columns, 0, NULL, NULL, onError);
  if (mlirTileLayoutBankConflicts(column, 4, 0, 4, ref("sm_90a"), &banks,
                                  onError))
    printf("wavefronts: %ld of %ld\n", (long)banks.wavefronts,
           (long)banks.least);

  printf("laneid is an axis: %d, lane: %d\n", laneid >= 0,
         mlirTileAxisFromName(ref("lane")) >= 0);
}

/* CHECK-LABEL: layouts
 * CHECK: 2 iters, 0 of replica, swizzle 1
 * CHECK: iter 0 is 16:64
 * CHECK: element 64 is at m=72
 * CHECK: why: 16 elements at a time
 * CHECK: widest: 8
 * CHECK: wavefronts: 4 of 4
 * CHECK: wavefronts: 32 of 4
 * CHECK: laneid is an axis: 1, lane: 0
 */

static void buffers(MlirContext context) {
  printf("buffers\n");
  int64_t shape[] = {16, 64};
  MlirType half = mlirF16TypeGet(context);
  MlirAttribute layout =
      mlirTileLayoutAttrGetRowMajor(context, 2, shape, onError);
  MlirType type = mlirTileBufferTypeGet(2, shape, half, MlirTileSpaceShared,
                                        layout, onError);
  MlirType same = mlirTileBufferTypeGet(2, shape, half, MlirTileSpaceShared,
                                        (MlirAttribute){NULL}, onError);
  printf("same: %d, a buffer: %d, rank %ld, columns %ld, space %d\n",
         mlirTypeEqual(type, same), mlirTypeIsATileBuffer(type),
         (long)mlirTileBufferTypeGetRank(type),
         (long)mlirTileBufferTypeGetDimSize(type, 1),
         mlirTileBufferTypeGetSpace(type));
  printf("element: %d, layout: %d\n",
         mlirTypeEqual(mlirTileBufferTypeGetElementType(type), half),
         mlirAttributeIsATileLayout(mlirTileBufferTypeGetLayout(type)));
  MlirType open =
      mlirTileBufferTypeGetAuto(2, shape, half, MlirTileSpaceShared, onError);
  MlirType parsed = mlirTypeParseGet(
      context, ref("!tile.buffer<16x64xf16, shared, auto>"));
  printf("auto: %d, %d %d %d\n", mlirTypeEqual(open, parsed),
         mlirTileBufferTypeIsAuto(open), mlirTileBufferTypeIsAuto(type),
         mlirTileBufferTypeIsAuto(half));
  mlirTileBufferTypeGetAuto(2, shape, half, MlirTileSpaceGlobal, onError);
  mlirTileBufferTypeGetAuto(2, shape, half, MlirTileSpaceNone, onError);
}

/* CHECK-LABEL: buffers
 * CHECK: same: 1, a buffer: 1, rank 2, columns 64, space 1
 * CHECK: element: 1, layout: 1
 * CHECK: auto: 1, 1 0 0
 * CHECK: got layout auto in a global tile, expected it in a shared or local one only
 * CHECK: got no memory space, expected global, shared, local or tmem
 */

static void fragments(MlirContext context) {
  printf("fragments\n");
  int64_t shape[] = {32, 16}, wrong[] = {24, 16};
  MlirType half = mlirF16TypeGet(context);
  MlirAttribute left = mlirTileFragmentAttrGet(
      context, ref("mma.m16n8k16.a over (2, 1) warps"), onError);
  MlirType type = mlirTileBufferTypeGet(2, shape, half, MlirTileSpaceLocal,
                                        left, onError);
  MlirType parsed = mlirTypeParseGet(
      context, ref("!tile.buffer<32x16xf16, local, "
                   "#tile.fragment<mma.m16n8k16.a over (2, 1) warps>>"));
  printf("parsed: %d, a fragment: %d %d, named: %d, layout: %d\n",
         mlirTypeEqual(type, parsed), mlirAttributeIsATileFragment(left),
         mlirAttributeIsATileLayout(left),
         mlirAttributeEqual(mlirTileBufferTypeGetFragment(type), left),
         mlirAttributeIsATileLayout(mlirTileBufferTypeGetLayout(type)));
  MlirType plain =
      mlirTileBufferTypeGet(2, shape, half, MlirTileSpaceLocal,
                            mlirTileBufferTypeGetLayout(type), onError);
  printf("same: %d, no fragment: %d %d %d\n", mlirTypeEqual(type, plain),
         mlirAttributeIsNull(mlirTileBufferTypeGetFragment(plain)),
         mlirAttributeIsNull(mlirTileBufferTypeGetFragment(half)),
         mlirAttributeIsATileFragment((MlirAttribute){NULL}));
  mlirTileFragmentAttrGet(context, ref("wgmma.b"), onError);
  mlirTileFragmentAttrGet(context, (MlirStringRef){NULL, 3}, onError);
  mlirTileFragmentAttrGet((MlirContext){NULL}, ref("wgmma.a"), onError);
  mlirTileBufferTypeGet(2, wrong, half, MlirTileSpaceLocal, left, onError);
  mlirTileBufferTypeGet(2, shape, half, MlirTileSpaceShared, left, onError);
  mlirTileBufferTypeGet(2, shape, mlirIndexTypeGet(context), MlirTileSpaceLocal,
                        left, onError);
}

/* CHECK-LABEL: fragments
 * CHECK: parsed: 1, a fragment: 1 0, named: 1, layout: 1
 * CHECK: same: 0, no fragment: 1 1 0
 * CHECK: error: got 'wgmma.b', expected one of wgmma.a, wgmma.c, wgmma.rows, wgmma.columns
 * CHECK: error: got null for the name, expected a string
 * CHECK: error: got a null context
 * CHECK: error: got 24 rows, expected a multiple of 32 for mma.m16n8k16.a over (2, 1) warps
 * CHECK: error: got fragment mma.m16n8k16.a over (2, 1) warps in shared memory, expected it in local memory
 * CHECK: error: got element type index, expected an integer or a float
 */

static void wrong(MlirContext context) {
  printf("wrong\n");
  MlirAttribute none = {NULL}, other = mlirUnitAttrGet(context);
  MlirType noType = {NULL};
  MlirModule noModule = {NULL};
  MlirContext noContext = {NULL};
  MlirTileBanks banks;
  int64_t shape[] = {16, -3};
  MlirTileIter iter = {4, 1, 4711};
  mlirTileLayoutApply(none, 0, place, NULL, onError);
  mlirTileLayoutApply(other, 0, place, NULL, onError);
  MlirAttribute layout =
      mlirTileLayoutAttrGetRowMajor(context, 1, shape, onError);
  mlirTileLayoutApply(layout, 16, place, NULL, onError);
  mlirTileLayoutApply(layout, 0, NULL, NULL, onError);
  mlirTileLayoutWidestVector(layout, 0, 16, 8, NULL, NULL, onError);
  mlirTileLayoutBankConflicts(layout, 4, 0, 4, ref("sm_1"), &banks, onError);
  mlirTileLayoutBankConflicts(layout, 4, 0, 8, ref("sm_80"), &banks, onError);
  mlirTileLayoutBankConflicts(layout, 4, INT64_MIN, 4, ref("sm_80"), &banks,
                              onError);
  mlirTileLayoutAttrGet(context, 1, &iter, 0, NULL, NULL, onError);
  mlirTileLayoutAttrGet(noContext, 0, NULL, 0, NULL, NULL, onError);
  mlirTileLayoutAttrGet(context, 3, NULL, 0, NULL, NULL, onError);
  mlirTileBufferTypeGet(2, shape, mlirF16TypeGet(context), MlirTileSpaceShared,
                        none, onError);
  mlirTileBufferTypeGet(1, shape, mlirIndexTypeGet(context),
                        MlirTileSpaceShared, none, onError);
  mlirTileBufferTypeGet(1, shape, noType, MlirTileSpaceShared, none, onError);
  printf("no layout: %d %ld, no buffer: %d %ld\n",
         mlirAttributeIsATileLayout(none),
         (long)mlirTileLayoutAttrGetShardSize(other),
         mlirTypeIsATileBuffer(noType), (long)mlirTileBufferTypeGetRank(noType));
  mlirTileRunPipeline(noModule, ref("builtin.module()"), onError);
  mlirTileCompile(noModule, NULL, print, "ptx", onError);
  mlirTileSetRemarkCallback(noContext, NULL, NULL, onError);
  MlirRewritePatternSet noSet = {NULL};
  mlirTilePopulatePatterns(noSet, noContext, NULL, NULL, NULL, onError);
  mlirTilePopulatePatterns(noSet, context, NULL, NULL, NULL, onError);
  mlirTileRegisterAllDialects((MlirDialectRegistry){NULL}, onError);
  mlirTileCompileText(ref("tile.allocate"), ref("wrong.mlir"), NULL, print,
                      "ptx", onError);
  mlirTileCompileText((MlirStringRef){NULL, 3}, ref(""), NULL, print, "ptx",
                      onError);
  MlirTileCompileOptions options = mlirTileCompileOptionsGetDefault();
  options.chip = ref("sm_1");
  mlirTileCompileText(ref("module {}"), ref(""), &options, print, "ptx",
                      onError);
  mlirTileCompileText(ref("tile.allocate"), ref(""), NULL, NULL, NULL,
                      (MlirTileErrorHandler){NULL, NULL});
  mlirTileLowerText(ref("module {}"), ref(""), ref("builtin.module(none)"),
                    print, NULL, "lowered", onError);
  mlirTileLowerText(ref("module {}"), ref(""), (MlirStringRef){NULL, 3}, print,
                    NULL, "lowered", onError);
  MlirContext bare = mlirContextCreate();
  mlirTileLayoutAttrGetRowMajor(bare, 1, shape, onError);
  mlirContextDestroy(bare);
}

/* CHECK-LABEL: wrong
 * CHECK: error: got a null attribute, expected a #tile.layout
 * CHECK: error: got unit, expected a #tile.layout
 * CHECK: error: got index 16, expected 0 to 15
 * CHECK: error: got a null function
 * CHECK: error: got element size 0, expected 1 to 1024
 * CHECK: error: {{.*}}unknown chip 'sm_1'
 * CHECK: error: got width 8, expected 1 to 4
 * CHECK: error: got axis 4711
 * CHECK: error: got a null context
 * CHECK: error: got null for 3 iters
 * CHECK: error: {{.*}}-3
 * CHECK: error: got element type 'index'
 * CHECK: error: got a null element type
 * CHECK: no layout: 0 -1, no buffer: 0 -1
 * CHECK: error: got a null module
 * CHECK: error: got a null module
 * CHECK: error: got a null context
 * CHECK: error: got a null context
 * CHECK: error: got a null pattern set
 * CHECK: error: got a null registry
 * CHECK: error: wrong.mlir:1:1: error:
 * CHECK: error: got null for the text, expected a string
 * CHECK: error: {{.*}}unknown chip 'sm_1'
 * CHECK: error: {{.*}}'none' does not refer to a registered pass
 * CHECK: error: got null for the pipeline, expected a string
 * CHECK: error: got a context without the tile dialect
 */

static void onRemark(const MlirTileRemark *remark, void *count) {
  if (!remark->passed)
    return;
  ++*(int *)count;
  printf("passed %.*s of %.*s in %.*s", (int)remark->name.length, remark->name.data,
         (int)remark->category.length, remark->category.data,
         (int)remark->function.length, remark->function.data);
  for (intptr_t i = 0; i < remark->argCount; ++i)
    printf(", %.*s", (int)remark->keys[i].length, remark->keys[i].data);
  printf("\n");
}

static void keep(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, (FILE *)file);
}

static char *read(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 16);
  if (!file || !text || !fread(text, 1, (1 << 16) - 1, file))
    exit(2);
  fclose(file);
  return text;
}

static void compile(MlirContext context, const char *input,
                    const char *output) {
  printf("compile\n");
  char *text = read(input);
  int remarks = 0;
  mlirTileSetRemarkCallback(context, onRemark, &remarks, onError);
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  printf("lowered: %d\n",
         mlirTileRunPipeline(
             module, ref("builtin.module(lower-tile-copy{chip=sm_90a})"),
             onError));
  printf("passed remarks: %d\n", remarks);
  mlirTileSetRemarkCallback(context, NULL, NULL, onError);
  printf("no such pass: %d\n",
         mlirTileRunPipeline(module, ref("builtin.module(lower-tiles)"),
                             onError));
  MlirTileCompileOptions options = mlirTileCompileOptionsGetDefault();
  options.chip = ref("sm_90a");
  FILE *ptx = fopen(output, "wb");
  printf("compiled: %d\n",
         mlirTileCompile(module, &options, keep, ptx, onError));
  fclose(ptx);
  mlirModuleDestroy(module);
  free(text);
}

/* CHECK-LABEL: compile
 * CHECK: passed gmem_smem of tile-copy in round_trip,{{.*}} Instructions
 * CHECK: lowered: 1
 * CHECK: passed remarks: 2
 * CHECK: error: cannot parse the pass pipeline 'builtin.module(lower-tiles)'
 * CHECK: no such pass: 0
 * CHECK: compiled: 1
 */

/* Counts the patterns that it is asked about, and leaves one out. */
static bool isNotFma(MlirStringRef name, void *asked) {
  ++*(int *)asked;
  return name.length != 3 || strncmp(name.data, "fma", 3) != 0;
}

static void lowerByPatterns(MlirContext context) {
  printf("patterns\n");
  const char *text =
      "!t = !tile.buffer<2x2xf32, local>\n"
      "gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {\n"
      "  gpu.func @kernel() kernel"
      "      attributes {known_block_size = array<i32: 32, 1, 1>} {\n"
      "    %zero = arith.constant 0.0 : f32\n"
      "    %a = tile.alloc : !t\n"
      "    %b = tile.alloc : !t\n"
      "    tile.fill %zero to %a scope(thread) : f32 to !t\n"
      "    tile.fill %zero to %b scope(thread) : f32 to !t\n"
      "    tile.mma %a, %a, %b scope(thread) : !t, !t, !t\n"
      "    gpu.return\n"
      "  }\n"
      "}\n";
  for (int all = 0; all < 2; ++all) {
    MlirModule module = mlirModuleCreateParse(context, ref(text));
    MlirRewritePatternSet set = mlirRewritePatternSetCreate(context);
    int asked = 0;
    intptr_t count = mlirTilePopulatePatterns(
        set, context, NULL, all ? NULL : isNotFma, &asked, onError);
    printf("added %s: %d\n", all ? "all" : "all but one",
           all ? count > 20 : count + 1 == asked);
    MlirFrozenRewritePatternSet frozen = mlirFreezeRewritePattern(set);
    MlirGreedyRewriteDriverConfig config =
        mlirGreedyRewriteDriverConfigCreate();
    mlirApplyPatternsAndFoldGreedily(module, frozen, config);
    mlirGreedyRewriteDriverConfigDestroy(config);
    mlirFrozenRewritePatternSetDestroy(frozen);
    mlirRewritePatternSetDestroy(set);
    mlirOperationPrint(mlirModuleGetOperation(module), print, "rewritten");
    mlirModuleDestroy(module);
  }
}

/* CHECK-LABEL: patterns
 * CHECK: added all but one: 1
 * CHECK: tile.mma
 * CHECK: added all: 1
 * CHECK-NOT: tile.{{mma|fill}}
 * CHECK: math.fma
 * CHECK-NOT: tile.{{mma|fill}}
 */

/* The output of a compilation. */
typedef struct Heard {
  char ptx[1 << 16];
  int remarks;
} Heard;

static void onPtx(MlirStringRef text, void *heard) {
  char *ptx = ((Heard *)heard)->ptx;
  if (text.length < sizeof ((Heard *)heard)->ptx)
    memcpy(ptx, text.data, text.length);
}

static void onKernel(const MlirTileKernel *kernel, void *heard) {
  (void)heard;
  printf("kernel %.*s of %u threads, %d static and %d dynamic bytes",
         (int)kernel->name.length, kernel->name.data, kernel->threads[0],
         (int)kernel->staticShared, (int)kernel->dynamicShared);
  for (intptr_t i = 0; i < kernel->argCount; ++i) {
    const MlirTileArgument *it = &kernel->args[i];
    printf(", %.*s kind %d number %d of dimension %d aligned to %d",
           (int)it->declared.length, it->declared.data, (int)it->kind,
           (int)it->number, (int)it->dimension, (int)it->alignment);
  }
  printf("\n");
}

static void onHeardRemark(const MlirTileRemark *remark, void *heard) {
  (void)remark;
  ++((Heard *)heard)->remarks;
}

static void onCounts(const MlirTileSimCounts *counts, void *none) {
  (void)none;
  printf("%.*s issued %d\n", (int)counts->opcode.length, counts->opcode.data,
         (int)counts->issued);
}

static void onFault(const MlirTileSimFault *fault, void *none) {
  (void)none;
  printf("fault: %.*s at %.*s:%d\n", (int)fault->kind.length,
         fault->kind.data, (int)fault->file.length, fault->file.data,
         (int)fault->line);
}

static const char *kernelText =
    "!row = !tile.buffer<?x32xf32, global>\n"
    "gpu.module @kernels {\n"
    "  gpu.func @copy(%A: memref<?x32xf32>, %B: memref<8x32xf32>) kernel\n"
    "      attributes {known_block_size = array<i32: 32, 1, 1>} {\n"
    "    %a = tile.view %A : memref<?x32xf32> to !row\n"
    "    %b = tile.view %B : memref<8x32xf32>\n"
    "      to !tile.buffer<8x32xf32, global>\n"
    "    tile.copy %a[0, 0] [8, 32] to %b scope(warp) masked\n"
    "      : !row to !tile.buffer<8x32xf32, global>\n"
    "    gpu.return\n"
    "  }\n"
    "}\n";

static void simulate(void) {
  static Heard heard;
  static float from[8][32], to[8][32];
  printf("simulate\n");
  MlirTileCompileOptions options = mlirTileCompileOptionsGetDefault();
  options.lineInfo = true;
  MlirTileCompileListener listener = {onPtx, onKernel, onHeardRemark, NULL,
                                      &heard};
  bool compiled = mlirTileCompileTextWith(ref(kernelText), ref("copy.mlir"),
                                          &options, &listener, onError);
  printf("compiled: %d, remarks: %d\n", compiled, heard.remarks > 0);
  for (int i = 0; i < 8 * 32; ++i)
    from[i / 32][i % 32] = (float)i;
  int64_t rows = 8;
  MlirTileSimArgument args[] = {{from, sizeof from, true},
                                {&rows, sizeof rows, false},
                                {to, sizeof to, true}};
  MlirTileSimLaunch launch = {{1, 1, 1}, {32, 1, 1}, {0, 0, 0}, 0, ref(""),
                              ref("")};
  MlirTileSimListener sim = {onCounts, onFault, NULL};
  printf("ran: %d\n", mlirTileSimulate(ref(heard.ptx), ref("copy"), &launch, 3,
                                       args, &sim, onError));
  printf("right: %d\n", memcmp(from, to, sizeof from) == 0);
  args[2].data = from + 4; /* Rows that other threads read. */
  args[2].bytes = sizeof from / 2;
  printf("overlap: %d\n", mlirTileSimulate(ref(heard.ptx), ref("copy"), &launch,
                                           3, args, &sim, onError));
  args[2].data = to;
  args[2].bytes = sizeof to;
  rows = 64; /* More rows than there are. */
  args[0].bytes = 128;
  printf("beyond: %d\n", mlirTileSimulate(ref(heard.ptx), ref("copy"), &launch,
                                          3, args, &sim, onError));
  launch.schedule = ref("soon");
  printf("schedule: %d\n",
         mlirTileSimulate(ref(heard.ptx), ref("copy"), &launch, 3, args, NULL,
                          onError));
  launch.schedule = ref("");
  launch.block[0] = 64;
  printf("block: %d\n",
         mlirTileCompleteLaunch(ref(heard.ptx), ref("copy"), &launch, onError));
  printf("block: %d\n", mlirTileSimulate(ref(heard.ptx), ref("copy"), &launch,
                                          3, args, NULL, onError));
  launch.block[0] = launch.block[1] = launch.block[2] = 0;
  printf("completed: %d",
         mlirTileCompleteLaunch(ref(heard.ptx), ref("copy"), &launch, onError));
  printf(", %ux%ux%u threads\n", launch.block[0], launch.block[1],
         launch.block[2]);
  launch.grid[2] = 0;
  printf("grid: %d\n",
         mlirTileCompleteLaunch(ref(heard.ptx), ref("copy"), &launch, onError));
  launch.grid[2] = 1;
  printf("count: %d\n", mlirTileSimulate(ref(heard.ptx), ref("copy"), &launch,
                                         -1, args, NULL, onError));
  printf("kernel: %d\n", mlirTileSimulate(ref(heard.ptx), ref("none"), &launch,
                                          3, args, NULL, onError));
  printf("null: %d\n", mlirTileSimulate(ref(heard.ptx), ref("copy"), NULL, 3,
                                        args, NULL, onError));
  printf("listener: %d\n", mlirTileCompileTextWith(ref(kernelText), ref(""),
                                                   NULL, NULL, onError));
}

/* CHECK-LABEL: simulate
 * CHECK: kernel copy of 32 threads, {{[0-9]+}} static and 0 dynamic bytes, memref<?x32xf32> kind 1 number 0 of dimension 0 aligned to 256,
 * CHECK-SAME: kind 2 number 2 of dimension 0 aligned to 0, memref<8x32xf32> kind 1
 * CHECK: compiled: 1, remarks: 1
 * CHECK: st.global{{.*}} issued
 * CHECK: ran: 1
 * CHECK: right: 1
 * CHECK: fault: race at {{.*}}copy.mlir:
 * CHECK: overlap: 0
 * CHECK: fault: out of bounds at {{.*}}copy.mlir:8
 * CHECK: error: kernel `copy`, {{.*}} out of bounds
 * CHECK: beyond: 0
 * CHECK: error: got schedule `soon`
 * CHECK: schedule: 0
 * CHECK: error: kernel `copy` cannot be launched: got blocks of 64x1x1 threads, expected 32x1x1
 * CHECK: block: 0
 * CHECK: error: kernel `copy` cannot be launched: got blocks of 64x1x1 threads, expected 32x1x1
 * CHECK: block: 0
 * CHECK: completed: 1, 32x1x1 threads
 * CHECK: error: kernel `copy` cannot be launched: got a grid of 1x1x0 blocks, expected 1 or more of each
 * CHECK: grid: 0
 * CHECK: error: got -1 arguments
 * CHECK: count: 0
 * CHECK: error: kernel `none` cannot be launched: the module has no such kernel
 * CHECK: kernel: 0
 * CHECK: error: got a null launch
 * CHECK: null: 0
 * CHECK: error: got a null listener
 * CHECK: listener: 0
 */

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirTileRegisterAllDialects(registry, onError);
  mlirTileRegisterAllPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__tile__(), context);
  layouts(context);
  buffers(context);
  fragments(context);
  wrong(context);
  compile(context, argv[1], argv[2]);
  lowerByPatterns(context);
  simulate();
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
