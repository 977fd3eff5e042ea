; Floating-point arithmetic and conversions as LLVM compiles them: each lane takes three values and stores each result in
; a separate row.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare half @llvm.fabs.f16(half)
declare half @llvm.floor.f16(half)
declare half @llvm.ceil.f16(half)
declare half @llvm.trunc.f16(half)
declare half @llvm.roundeven.f16(half)
declare half @llvm.sqrt.f16(half)
declare half @llvm.minnum.f16(half, half)
declare half @llvm.maxnum.f16(half, half)
declare half @llvm.minimum.f16(half, half)
declare half @llvm.maximum.f16(half, half)
declare half @llvm.copysign.f16(half, half)
declare half @llvm.fma.f16(half, half, half)
declare bfloat @llvm.fabs.bf16(bfloat)
declare bfloat @llvm.floor.bf16(bfloat)
declare bfloat @llvm.ceil.bf16(bfloat)
declare bfloat @llvm.trunc.bf16(bfloat)
declare bfloat @llvm.roundeven.bf16(bfloat)
declare bfloat @llvm.sqrt.bf16(bfloat)
declare bfloat @llvm.minnum.bf16(bfloat, bfloat)
declare bfloat @llvm.maxnum.bf16(bfloat, bfloat)
declare bfloat @llvm.minimum.bf16(bfloat, bfloat)
declare bfloat @llvm.maximum.bf16(bfloat, bfloat)
declare bfloat @llvm.copysign.bf16(bfloat, bfloat)
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
declare float @llvm.fabs.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.ceil.f32(float)
declare float @llvm.trunc.f32(float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minimum.f32(float, float)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.copysign.f32(float, float)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fabs.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.ceil.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.roundeven.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minimum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.fma.f64(double, double, double)

define ptx_kernel void @f16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ia = add i32 %lane, 0
  %pa = getelementptr half, ptr addrspace(1) %in, i32 %ia
  %a = load half, ptr addrspace(1) %pa
  %ib = add i32 %lane, 32
  %pb = getelementptr half, ptr addrspace(1) %in, i32 %ib
  %b = load half, ptr addrspace(1) %pb
  %ic = add i32 %lane, 64
  %pc = getelementptr half, ptr addrspace(1) %in, i32 %ic
  %c = load half, ptr addrspace(1) %pc
  %add = fadd half %a, %b
  %i.add = add i32 %lane, 0
  %p.add = getelementptr half, ptr addrspace(1) %out, i32 %i.add
  store half %add, ptr addrspace(1) %p.add
  %sub = fsub half %a, %b
  %i.sub = add i32 %lane, 32
  %p.sub = getelementptr half, ptr addrspace(1) %out, i32 %i.sub
  store half %sub, ptr addrspace(1) %p.sub
  %mul = fmul half %a, %b
  %i.mul = add i32 %lane, 64
  %p.mul = getelementptr half, ptr addrspace(1) %out, i32 %i.mul
  store half %mul, ptr addrspace(1) %p.mul
  %div = fdiv half %a, %b
  %i.div = add i32 %lane, 96
  %p.div = getelementptr half, ptr addrspace(1) %out, i32 %i.div
  store half %div, ptr addrspace(1) %p.div
  %neg = fneg half %a
  %i.neg = add i32 %lane, 128
  %p.neg = getelementptr half, ptr addrspace(1) %out, i32 %i.neg
  store half %neg, ptr addrspace(1) %p.neg
  %fma = call half @llvm.fma.f16(half %a, half %b, half %c)
  %i.fma = add i32 %lane, 160
  %p.fma = getelementptr half, ptr addrspace(1) %out, i32 %i.fma
  store half %fma, ptr addrspace(1) %p.fma
  %fabs = call half @llvm.fabs.f16(half %a)
  %i.fabs = add i32 %lane, 192
  %p.fabs = getelementptr half, ptr addrspace(1) %out, i32 %i.fabs
  store half %fabs, ptr addrspace(1) %p.fabs
  %floor = call half @llvm.floor.f16(half %a)
  %i.floor = add i32 %lane, 224
  %p.floor = getelementptr half, ptr addrspace(1) %out, i32 %i.floor
  store half %floor, ptr addrspace(1) %p.floor
  %ceil = call half @llvm.ceil.f16(half %a)
  %i.ceil = add i32 %lane, 256
  %p.ceil = getelementptr half, ptr addrspace(1) %out, i32 %i.ceil
  store half %ceil, ptr addrspace(1) %p.ceil
  %trunc = call half @llvm.trunc.f16(half %a)
  %i.trunc = add i32 %lane, 288
  %p.trunc = getelementptr half, ptr addrspace(1) %out, i32 %i.trunc
  store half %trunc, ptr addrspace(1) %p.trunc
  %roundeven = call half @llvm.roundeven.f16(half %a)
  %i.roundeven = add i32 %lane, 320
  %p.roundeven = getelementptr half, ptr addrspace(1) %out, i32 %i.roundeven
  store half %roundeven, ptr addrspace(1) %p.roundeven
  %sqrt = call half @llvm.sqrt.f16(half %a)
  %i.sqrt = add i32 %lane, 352
  %p.sqrt = getelementptr half, ptr addrspace(1) %out, i32 %i.sqrt
  store half %sqrt, ptr addrspace(1) %p.sqrt
  %minnum = call half @llvm.minnum.f16(half %a, half %b)
  %i.minnum = add i32 %lane, 384
  %p.minnum = getelementptr half, ptr addrspace(1) %out, i32 %i.minnum
  store half %minnum, ptr addrspace(1) %p.minnum
  %maxnum = call half @llvm.maxnum.f16(half %a, half %b)
  %i.maxnum = add i32 %lane, 416
  %p.maxnum = getelementptr half, ptr addrspace(1) %out, i32 %i.maxnum
  store half %maxnum, ptr addrspace(1) %p.maxnum
  %minimum = call half @llvm.minimum.f16(half %a, half %b)
  %i.minimum = add i32 %lane, 448
  %p.minimum = getelementptr half, ptr addrspace(1) %out, i32 %i.minimum
  store half %minimum, ptr addrspace(1) %p.minimum
  %maximum = call half @llvm.maximum.f16(half %a, half %b)
  %i.maximum = add i32 %lane, 480
  %p.maximum = getelementptr half, ptr addrspace(1) %out, i32 %i.maximum
  store half %maximum, ptr addrspace(1) %p.maximum
  %copysign = call half @llvm.copysign.f16(half %a, half %b)
  %i.copysign = add i32 %lane, 512
  %p.copysign = getelementptr half, ptr addrspace(1) %out, i32 %i.copysign
  store half %copysign, ptr addrspace(1) %p.copysign
  %cmp.oeq = fcmp oeq half %a, %b
  %oeq = select i1 %cmp.oeq, half %a, half %c
  %i.oeq = add i32 %lane, 544
  %p.oeq = getelementptr half, ptr addrspace(1) %out, i32 %i.oeq
  store half %oeq, ptr addrspace(1) %p.oeq
  %cmp.olt = fcmp olt half %a, %b
  %olt = select i1 %cmp.olt, half %a, half %c
  %i.olt = add i32 %lane, 576
  %p.olt = getelementptr half, ptr addrspace(1) %out, i32 %i.olt
  store half %olt, ptr addrspace(1) %p.olt
  %cmp.ole = fcmp ole half %a, %b
  %ole = select i1 %cmp.ole, half %a, half %c
  %i.ole = add i32 %lane, 608
  %p.ole = getelementptr half, ptr addrspace(1) %out, i32 %i.ole
  store half %ole, ptr addrspace(1) %p.ole
  %cmp.une = fcmp une half %a, %b
  %une = select i1 %cmp.une, half %a, half %c
  %i.une = add i32 %lane, 640
  %p.une = getelementptr half, ptr addrspace(1) %out, i32 %i.une
  store half %une, ptr addrspace(1) %p.une
  %cmp.ugt = fcmp ugt half %a, %b
  %ugt = select i1 %cmp.ugt, half %a, half %c
  %i.ugt = add i32 %lane, 672
  %p.ugt = getelementptr half, ptr addrspace(1) %out, i32 %i.ugt
  store half %ugt, ptr addrspace(1) %p.ugt
  %cmp.uno = fcmp uno half %a, %b
  %uno = select i1 %cmp.uno, half %a, half %c
  %i.uno = add i32 %lane, 704
  %p.uno = getelementptr half, ptr addrspace(1) %out, i32 %i.uno
  store half %uno, ptr addrspace(1) %p.uno
  %int.s8 = fptosi half %c to i8
  %back.s8 = sitofp i8 %int.s8 to half
  %i.back.s8 = add i32 %lane, 736
  %p.back.s8 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.s8
  store half %back.s8, ptr addrspace(1) %p.back.s8
  %int.u8 = fptoui half %c to i8
  %back.u8 = uitofp i8 %int.u8 to half
  %i.back.u8 = add i32 %lane, 768
  %p.back.u8 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.u8
  store half %back.u8, ptr addrspace(1) %p.back.u8
  %int.s16 = fptosi half %c to i16
  %back.s16 = sitofp i16 %int.s16 to half
  %i.back.s16 = add i32 %lane, 800
  %p.back.s16 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.s16
  store half %back.s16, ptr addrspace(1) %p.back.s16
  %int.u16 = fptoui half %c to i16
  %back.u16 = uitofp i16 %int.u16 to half
  %i.back.u16 = add i32 %lane, 832
  %p.back.u16 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.u16
  store half %back.u16, ptr addrspace(1) %p.back.u16
  %int.s32 = fptosi half %c to i32
  %back.s32 = sitofp i32 %int.s32 to half
  %i.back.s32 = add i32 %lane, 864
  %p.back.s32 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.s32
  store half %back.s32, ptr addrspace(1) %p.back.s32
  %int.u32 = fptoui half %c to i32
  %back.u32 = uitofp i32 %int.u32 to half
  %i.back.u32 = add i32 %lane, 896
  %p.back.u32 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.u32
  store half %back.u32, ptr addrspace(1) %p.back.u32
  %int.s64 = fptosi half %c to i64
  %back.s64 = sitofp i64 %int.s64 to half
  %i.back.s64 = add i32 %lane, 928
  %p.back.s64 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.s64
  store half %back.s64, ptr addrspace(1) %p.back.s64
  %int.u64 = fptoui half %c to i64
  %back.u64 = uitofp i64 %int.u64 to half
  %i.back.u64 = add i32 %lane, 960
  %p.back.u64 = getelementptr half, ptr addrspace(1) %out, i32 %i.back.u64
  store half %back.u64, ptr addrspace(1) %p.back.u64
  %to.f32 = fpext half %a to float
  %sq.f32 = fmul float %to.f32, %to.f32
  %from.f32 = fptrunc float %sq.f32 to half
  %i.from.f32 = add i32 %lane, 992
  %p.from.f32 = getelementptr half, ptr addrspace(1) %out, i32 %i.from.f32
  store half %from.f32, ptr addrspace(1) %p.from.f32
  %to.f64 = fpext half %a to double
  %sq.f64 = fmul double %to.f64, %to.f64
  %from.f64 = fptrunc double %sq.f64 to half
  %i.from.f64 = add i32 %lane, 1024
  %p.from.f64 = getelementptr half, ptr addrspace(1) %out, i32 %i.from.f64
  store half %from.f64, ptr addrspace(1) %p.from.f64
  ret void
}

define ptx_kernel void @bf16(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ia = add i32 %lane, 0
  %pa = getelementptr bfloat, ptr addrspace(1) %in, i32 %ia
  %a = load bfloat, ptr addrspace(1) %pa
  %ib = add i32 %lane, 32
  %pb = getelementptr bfloat, ptr addrspace(1) %in, i32 %ib
  %b = load bfloat, ptr addrspace(1) %pb
  %ic = add i32 %lane, 64
  %pc = getelementptr bfloat, ptr addrspace(1) %in, i32 %ic
  %c = load bfloat, ptr addrspace(1) %pc
  %add = fadd bfloat %a, %b
  %i.add = add i32 %lane, 0
  %p.add = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.add
  store bfloat %add, ptr addrspace(1) %p.add
  %sub = fsub bfloat %a, %b
  %i.sub = add i32 %lane, 32
  %p.sub = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.sub
  store bfloat %sub, ptr addrspace(1) %p.sub
  %mul = fmul bfloat %a, %b
  %i.mul = add i32 %lane, 64
  %p.mul = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.mul
  store bfloat %mul, ptr addrspace(1) %p.mul
  %div = fdiv bfloat %a, %b
  %i.div = add i32 %lane, 96
  %p.div = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.div
  store bfloat %div, ptr addrspace(1) %p.div
  %neg = fneg bfloat %a
  %i.neg = add i32 %lane, 128
  %p.neg = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.neg
  store bfloat %neg, ptr addrspace(1) %p.neg
  %fma = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %b, bfloat %c)
  %i.fma = add i32 %lane, 160
  %p.fma = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.fma
  store bfloat %fma, ptr addrspace(1) %p.fma
  %fabs = call bfloat @llvm.fabs.bf16(bfloat %a)
  %i.fabs = add i32 %lane, 192
  %p.fabs = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.fabs
  store bfloat %fabs, ptr addrspace(1) %p.fabs
  %floor = call bfloat @llvm.floor.bf16(bfloat %a)
  %i.floor = add i32 %lane, 224
  %p.floor = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.floor
  store bfloat %floor, ptr addrspace(1) %p.floor
  %ceil = call bfloat @llvm.ceil.bf16(bfloat %a)
  %i.ceil = add i32 %lane, 256
  %p.ceil = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.ceil
  store bfloat %ceil, ptr addrspace(1) %p.ceil
  %trunc = call bfloat @llvm.trunc.bf16(bfloat %a)
  %i.trunc = add i32 %lane, 288
  %p.trunc = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.trunc
  store bfloat %trunc, ptr addrspace(1) %p.trunc
  %roundeven = call bfloat @llvm.roundeven.bf16(bfloat %a)
  %i.roundeven = add i32 %lane, 320
  %p.roundeven = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.roundeven
  store bfloat %roundeven, ptr addrspace(1) %p.roundeven
  %sqrt = call bfloat @llvm.sqrt.bf16(bfloat %a)
  %i.sqrt = add i32 %lane, 352
  %p.sqrt = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.sqrt
  store bfloat %sqrt, ptr addrspace(1) %p.sqrt
  %minnum = call bfloat @llvm.minnum.bf16(bfloat %a, bfloat %b)
  %i.minnum = add i32 %lane, 384
  %p.minnum = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.minnum
  store bfloat %minnum, ptr addrspace(1) %p.minnum
  %maxnum = call bfloat @llvm.maxnum.bf16(bfloat %a, bfloat %b)
  %i.maxnum = add i32 %lane, 416
  %p.maxnum = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.maxnum
  store bfloat %maxnum, ptr addrspace(1) %p.maxnum
  %minimum = call bfloat @llvm.minimum.bf16(bfloat %a, bfloat %b)
  %i.minimum = add i32 %lane, 448
  %p.minimum = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.minimum
  store bfloat %minimum, ptr addrspace(1) %p.minimum
  %maximum = call bfloat @llvm.maximum.bf16(bfloat %a, bfloat %b)
  %i.maximum = add i32 %lane, 480
  %p.maximum = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.maximum
  store bfloat %maximum, ptr addrspace(1) %p.maximum
  %copysign = call bfloat @llvm.copysign.bf16(bfloat %a, bfloat %b)
  %i.copysign = add i32 %lane, 512
  %p.copysign = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.copysign
  store bfloat %copysign, ptr addrspace(1) %p.copysign
  %cmp.oeq = fcmp oeq bfloat %a, %b
  %oeq = select i1 %cmp.oeq, bfloat %a, bfloat %c
  %i.oeq = add i32 %lane, 544
  %p.oeq = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.oeq
  store bfloat %oeq, ptr addrspace(1) %p.oeq
  %cmp.olt = fcmp olt bfloat %a, %b
  %olt = select i1 %cmp.olt, bfloat %a, bfloat %c
  %i.olt = add i32 %lane, 576
  %p.olt = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.olt
  store bfloat %olt, ptr addrspace(1) %p.olt
  %cmp.ole = fcmp ole bfloat %a, %b
  %ole = select i1 %cmp.ole, bfloat %a, bfloat %c
  %i.ole = add i32 %lane, 608
  %p.ole = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.ole
  store bfloat %ole, ptr addrspace(1) %p.ole
  %cmp.une = fcmp une bfloat %a, %b
  %une = select i1 %cmp.une, bfloat %a, bfloat %c
  %i.une = add i32 %lane, 640
  %p.une = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.une
  store bfloat %une, ptr addrspace(1) %p.une
  %cmp.ugt = fcmp ugt bfloat %a, %b
  %ugt = select i1 %cmp.ugt, bfloat %a, bfloat %c
  %i.ugt = add i32 %lane, 672
  %p.ugt = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.ugt
  store bfloat %ugt, ptr addrspace(1) %p.ugt
  %cmp.uno = fcmp uno bfloat %a, %b
  %uno = select i1 %cmp.uno, bfloat %a, bfloat %c
  %i.uno = add i32 %lane, 704
  %p.uno = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.uno
  store bfloat %uno, ptr addrspace(1) %p.uno
  %int.s8 = fptosi bfloat %c to i8
  %back.s8 = sitofp i8 %int.s8 to bfloat
  %i.back.s8 = add i32 %lane, 736
  %p.back.s8 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.s8
  store bfloat %back.s8, ptr addrspace(1) %p.back.s8
  %int.u8 = fptoui bfloat %c to i8
  %back.u8 = uitofp i8 %int.u8 to bfloat
  %i.back.u8 = add i32 %lane, 768
  %p.back.u8 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.u8
  store bfloat %back.u8, ptr addrspace(1) %p.back.u8
  %int.s16 = fptosi bfloat %c to i16
  %back.s16 = sitofp i16 %int.s16 to bfloat
  %i.back.s16 = add i32 %lane, 800
  %p.back.s16 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.s16
  store bfloat %back.s16, ptr addrspace(1) %p.back.s16
  %int.u16 = fptoui bfloat %c to i16
  %back.u16 = uitofp i16 %int.u16 to bfloat
  %i.back.u16 = add i32 %lane, 832
  %p.back.u16 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.u16
  store bfloat %back.u16, ptr addrspace(1) %p.back.u16
  %int.s32 = fptosi bfloat %c to i32
  %back.s32 = sitofp i32 %int.s32 to bfloat
  %i.back.s32 = add i32 %lane, 864
  %p.back.s32 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.s32
  store bfloat %back.s32, ptr addrspace(1) %p.back.s32
  %int.u32 = fptoui bfloat %c to i32
  %back.u32 = uitofp i32 %int.u32 to bfloat
  %i.back.u32 = add i32 %lane, 896
  %p.back.u32 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.u32
  store bfloat %back.u32, ptr addrspace(1) %p.back.u32
  %int.s64 = fptosi bfloat %c to i64
  %back.s64 = sitofp i64 %int.s64 to bfloat
  %i.back.s64 = add i32 %lane, 928
  %p.back.s64 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.s64
  store bfloat %back.s64, ptr addrspace(1) %p.back.s64
  %int.u64 = fptoui bfloat %c to i64
  %back.u64 = uitofp i64 %int.u64 to bfloat
  %i.back.u64 = add i32 %lane, 960
  %p.back.u64 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.back.u64
  store bfloat %back.u64, ptr addrspace(1) %p.back.u64
  %to.f32 = fpext bfloat %a to float
  %sq.f32 = fmul float %to.f32, %to.f32
  %from.f32 = fptrunc float %sq.f32 to bfloat
  %i.from.f32 = add i32 %lane, 992
  %p.from.f32 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.from.f32
  store bfloat %from.f32, ptr addrspace(1) %p.from.f32
  %to.f64 = fpext bfloat %a to double
  %sq.f64 = fmul double %to.f64, %to.f64
  %from.f64 = fptrunc double %sq.f64 to bfloat
  %i.from.f64 = add i32 %lane, 1024
  %p.from.f64 = getelementptr bfloat, ptr addrspace(1) %out, i32 %i.from.f64
  store bfloat %from.f64, ptr addrspace(1) %p.from.f64
  ret void
}

define ptx_kernel void @f32(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ia = add i32 %lane, 0
  %pa = getelementptr float, ptr addrspace(1) %in, i32 %ia
  %a = load float, ptr addrspace(1) %pa
  %ib = add i32 %lane, 32
  %pb = getelementptr float, ptr addrspace(1) %in, i32 %ib
  %b = load float, ptr addrspace(1) %pb
  %ic = add i32 %lane, 64
  %pc = getelementptr float, ptr addrspace(1) %in, i32 %ic
  %c = load float, ptr addrspace(1) %pc
  %add = fadd float %a, %b
  %i.add = add i32 %lane, 0
  %p.add = getelementptr float, ptr addrspace(1) %out, i32 %i.add
  store float %add, ptr addrspace(1) %p.add
  %sub = fsub float %a, %b
  %i.sub = add i32 %lane, 32
  %p.sub = getelementptr float, ptr addrspace(1) %out, i32 %i.sub
  store float %sub, ptr addrspace(1) %p.sub
  %mul = fmul float %a, %b
  %i.mul = add i32 %lane, 64
  %p.mul = getelementptr float, ptr addrspace(1) %out, i32 %i.mul
  store float %mul, ptr addrspace(1) %p.mul
  %div = fdiv float %a, %b
  %i.div = add i32 %lane, 96
  %p.div = getelementptr float, ptr addrspace(1) %out, i32 %i.div
  store float %div, ptr addrspace(1) %p.div
  %neg = fneg float %a
  %i.neg = add i32 %lane, 128
  %p.neg = getelementptr float, ptr addrspace(1) %out, i32 %i.neg
  store float %neg, ptr addrspace(1) %p.neg
  %fma = call float @llvm.fma.f32(float %a, float %b, float %c)
  %i.fma = add i32 %lane, 160
  %p.fma = getelementptr float, ptr addrspace(1) %out, i32 %i.fma
  store float %fma, ptr addrspace(1) %p.fma
  %fabs = call float @llvm.fabs.f32(float %a)
  %i.fabs = add i32 %lane, 192
  %p.fabs = getelementptr float, ptr addrspace(1) %out, i32 %i.fabs
  store float %fabs, ptr addrspace(1) %p.fabs
  %floor = call float @llvm.floor.f32(float %a)
  %i.floor = add i32 %lane, 224
  %p.floor = getelementptr float, ptr addrspace(1) %out, i32 %i.floor
  store float %floor, ptr addrspace(1) %p.floor
  %ceil = call float @llvm.ceil.f32(float %a)
  %i.ceil = add i32 %lane, 256
  %p.ceil = getelementptr float, ptr addrspace(1) %out, i32 %i.ceil
  store float %ceil, ptr addrspace(1) %p.ceil
  %trunc = call float @llvm.trunc.f32(float %a)
  %i.trunc = add i32 %lane, 288
  %p.trunc = getelementptr float, ptr addrspace(1) %out, i32 %i.trunc
  store float %trunc, ptr addrspace(1) %p.trunc
  %roundeven = call float @llvm.roundeven.f32(float %a)
  %i.roundeven = add i32 %lane, 320
  %p.roundeven = getelementptr float, ptr addrspace(1) %out, i32 %i.roundeven
  store float %roundeven, ptr addrspace(1) %p.roundeven
  %sqrt = call float @llvm.sqrt.f32(float %a)
  %i.sqrt = add i32 %lane, 352
  %p.sqrt = getelementptr float, ptr addrspace(1) %out, i32 %i.sqrt
  store float %sqrt, ptr addrspace(1) %p.sqrt
  %minnum = call float @llvm.minnum.f32(float %a, float %b)
  %i.minnum = add i32 %lane, 384
  %p.minnum = getelementptr float, ptr addrspace(1) %out, i32 %i.minnum
  store float %minnum, ptr addrspace(1) %p.minnum
  %maxnum = call float @llvm.maxnum.f32(float %a, float %b)
  %i.maxnum = add i32 %lane, 416
  %p.maxnum = getelementptr float, ptr addrspace(1) %out, i32 %i.maxnum
  store float %maxnum, ptr addrspace(1) %p.maxnum
  %minimum = call float @llvm.minimum.f32(float %a, float %b)
  %i.minimum = add i32 %lane, 448
  %p.minimum = getelementptr float, ptr addrspace(1) %out, i32 %i.minimum
  store float %minimum, ptr addrspace(1) %p.minimum
  %maximum = call float @llvm.maximum.f32(float %a, float %b)
  %i.maximum = add i32 %lane, 480
  %p.maximum = getelementptr float, ptr addrspace(1) %out, i32 %i.maximum
  store float %maximum, ptr addrspace(1) %p.maximum
  %copysign = call float @llvm.copysign.f32(float %a, float %b)
  %i.copysign = add i32 %lane, 512
  %p.copysign = getelementptr float, ptr addrspace(1) %out, i32 %i.copysign
  store float %copysign, ptr addrspace(1) %p.copysign
  %cmp.oeq = fcmp oeq float %a, %b
  %oeq = select i1 %cmp.oeq, float %a, float %c
  %i.oeq = add i32 %lane, 544
  %p.oeq = getelementptr float, ptr addrspace(1) %out, i32 %i.oeq
  store float %oeq, ptr addrspace(1) %p.oeq
  %cmp.olt = fcmp olt float %a, %b
  %olt = select i1 %cmp.olt, float %a, float %c
  %i.olt = add i32 %lane, 576
  %p.olt = getelementptr float, ptr addrspace(1) %out, i32 %i.olt
  store float %olt, ptr addrspace(1) %p.olt
  %cmp.ole = fcmp ole float %a, %b
  %ole = select i1 %cmp.ole, float %a, float %c
  %i.ole = add i32 %lane, 608
  %p.ole = getelementptr float, ptr addrspace(1) %out, i32 %i.ole
  store float %ole, ptr addrspace(1) %p.ole
  %cmp.une = fcmp une float %a, %b
  %une = select i1 %cmp.une, float %a, float %c
  %i.une = add i32 %lane, 640
  %p.une = getelementptr float, ptr addrspace(1) %out, i32 %i.une
  store float %une, ptr addrspace(1) %p.une
  %cmp.ugt = fcmp ugt float %a, %b
  %ugt = select i1 %cmp.ugt, float %a, float %c
  %i.ugt = add i32 %lane, 672
  %p.ugt = getelementptr float, ptr addrspace(1) %out, i32 %i.ugt
  store float %ugt, ptr addrspace(1) %p.ugt
  %cmp.uno = fcmp uno float %a, %b
  %uno = select i1 %cmp.uno, float %a, float %c
  %i.uno = add i32 %lane, 704
  %p.uno = getelementptr float, ptr addrspace(1) %out, i32 %i.uno
  store float %uno, ptr addrspace(1) %p.uno
  %int.s8 = fptosi float %c to i8
  %back.s8 = sitofp i8 %int.s8 to float
  %i.back.s8 = add i32 %lane, 736
  %p.back.s8 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.s8
  store float %back.s8, ptr addrspace(1) %p.back.s8
  %int.u8 = fptoui float %c to i8
  %back.u8 = uitofp i8 %int.u8 to float
  %i.back.u8 = add i32 %lane, 768
  %p.back.u8 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.u8
  store float %back.u8, ptr addrspace(1) %p.back.u8
  %int.s16 = fptosi float %c to i16
  %back.s16 = sitofp i16 %int.s16 to float
  %i.back.s16 = add i32 %lane, 800
  %p.back.s16 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.s16
  store float %back.s16, ptr addrspace(1) %p.back.s16
  %int.u16 = fptoui float %c to i16
  %back.u16 = uitofp i16 %int.u16 to float
  %i.back.u16 = add i32 %lane, 832
  %p.back.u16 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.u16
  store float %back.u16, ptr addrspace(1) %p.back.u16
  %int.s32 = fptosi float %c to i32
  %back.s32 = sitofp i32 %int.s32 to float
  %i.back.s32 = add i32 %lane, 864
  %p.back.s32 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.s32
  store float %back.s32, ptr addrspace(1) %p.back.s32
  %int.u32 = fptoui float %c to i32
  %back.u32 = uitofp i32 %int.u32 to float
  %i.back.u32 = add i32 %lane, 896
  %p.back.u32 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.u32
  store float %back.u32, ptr addrspace(1) %p.back.u32
  %int.s64 = fptosi float %c to i64
  %back.s64 = sitofp i64 %int.s64 to float
  %i.back.s64 = add i32 %lane, 928
  %p.back.s64 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.s64
  store float %back.s64, ptr addrspace(1) %p.back.s64
  %int.u64 = fptoui float %c to i64
  %back.u64 = uitofp i64 %int.u64 to float
  %i.back.u64 = add i32 %lane, 960
  %p.back.u64 = getelementptr float, ptr addrspace(1) %out, i32 %i.back.u64
  store float %back.u64, ptr addrspace(1) %p.back.u64
  %to.f16 = fptrunc float %a to half
  %from.f16 = fpext half %to.f16 to float
  %i.from.f16 = add i32 %lane, 992
  %p.from.f16 = getelementptr float, ptr addrspace(1) %out, i32 %i.from.f16
  store float %from.f16, ptr addrspace(1) %p.from.f16
  %to.bf16 = fptrunc float %a to bfloat
  %from.bf16 = fpext bfloat %to.bf16 to float
  %i.from.bf16 = add i32 %lane, 1024
  %p.from.bf16 = getelementptr float, ptr addrspace(1) %out, i32 %i.from.bf16
  store float %from.bf16, ptr addrspace(1) %p.from.bf16
  %to.f64 = fpext float %a to double
  %sq.f64 = fmul double %to.f64, %to.f64
  %from.f64 = fptrunc double %sq.f64 to float
  %i.from.f64 = add i32 %lane, 1056
  %p.from.f64 = getelementptr float, ptr addrspace(1) %out, i32 %i.from.f64
  store float %from.f64, ptr addrspace(1) %p.from.f64
  ret void
}

define ptx_kernel void @f64(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ia = add i32 %lane, 0
  %pa = getelementptr double, ptr addrspace(1) %in, i32 %ia
  %a = load double, ptr addrspace(1) %pa
  %ib = add i32 %lane, 32
  %pb = getelementptr double, ptr addrspace(1) %in, i32 %ib
  %b = load double, ptr addrspace(1) %pb
  %ic = add i32 %lane, 64
  %pc = getelementptr double, ptr addrspace(1) %in, i32 %ic
  %c = load double, ptr addrspace(1) %pc
  %add = fadd double %a, %b
  %i.add = add i32 %lane, 0
  %p.add = getelementptr double, ptr addrspace(1) %out, i32 %i.add
  store double %add, ptr addrspace(1) %p.add
  %sub = fsub double %a, %b
  %i.sub = add i32 %lane, 32
  %p.sub = getelementptr double, ptr addrspace(1) %out, i32 %i.sub
  store double %sub, ptr addrspace(1) %p.sub
  %mul = fmul double %a, %b
  %i.mul = add i32 %lane, 64
  %p.mul = getelementptr double, ptr addrspace(1) %out, i32 %i.mul
  store double %mul, ptr addrspace(1) %p.mul
  %div = fdiv double %a, %b
  %i.div = add i32 %lane, 96
  %p.div = getelementptr double, ptr addrspace(1) %out, i32 %i.div
  store double %div, ptr addrspace(1) %p.div
  %neg = fneg double %a
  %i.neg = add i32 %lane, 128
  %p.neg = getelementptr double, ptr addrspace(1) %out, i32 %i.neg
  store double %neg, ptr addrspace(1) %p.neg
  %fma = call double @llvm.fma.f64(double %a, double %b, double %c)
  %i.fma = add i32 %lane, 160
  %p.fma = getelementptr double, ptr addrspace(1) %out, i32 %i.fma
  store double %fma, ptr addrspace(1) %p.fma
  %fabs = call double @llvm.fabs.f64(double %a)
  %i.fabs = add i32 %lane, 192
  %p.fabs = getelementptr double, ptr addrspace(1) %out, i32 %i.fabs
  store double %fabs, ptr addrspace(1) %p.fabs
  %floor = call double @llvm.floor.f64(double %a)
  %i.floor = add i32 %lane, 224
  %p.floor = getelementptr double, ptr addrspace(1) %out, i32 %i.floor
  store double %floor, ptr addrspace(1) %p.floor
  %ceil = call double @llvm.ceil.f64(double %a)
  %i.ceil = add i32 %lane, 256
  %p.ceil = getelementptr double, ptr addrspace(1) %out, i32 %i.ceil
  store double %ceil, ptr addrspace(1) %p.ceil
  %trunc = call double @llvm.trunc.f64(double %a)
  %i.trunc = add i32 %lane, 288
  %p.trunc = getelementptr double, ptr addrspace(1) %out, i32 %i.trunc
  store double %trunc, ptr addrspace(1) %p.trunc
  %roundeven = call double @llvm.roundeven.f64(double %a)
  %i.roundeven = add i32 %lane, 320
  %p.roundeven = getelementptr double, ptr addrspace(1) %out, i32 %i.roundeven
  store double %roundeven, ptr addrspace(1) %p.roundeven
  %sqrt = call double @llvm.sqrt.f64(double %a)
  %i.sqrt = add i32 %lane, 352
  %p.sqrt = getelementptr double, ptr addrspace(1) %out, i32 %i.sqrt
  store double %sqrt, ptr addrspace(1) %p.sqrt
  %minnum = call double @llvm.minnum.f64(double %a, double %b)
  %i.minnum = add i32 %lane, 384
  %p.minnum = getelementptr double, ptr addrspace(1) %out, i32 %i.minnum
  store double %minnum, ptr addrspace(1) %p.minnum
  %maxnum = call double @llvm.maxnum.f64(double %a, double %b)
  %i.maxnum = add i32 %lane, 416
  %p.maxnum = getelementptr double, ptr addrspace(1) %out, i32 %i.maxnum
  store double %maxnum, ptr addrspace(1) %p.maxnum
  %minimum = call double @llvm.minimum.f64(double %a, double %b)
  %i.minimum = add i32 %lane, 448
  %p.minimum = getelementptr double, ptr addrspace(1) %out, i32 %i.minimum
  store double %minimum, ptr addrspace(1) %p.minimum
  %maximum = call double @llvm.maximum.f64(double %a, double %b)
  %i.maximum = add i32 %lane, 480
  %p.maximum = getelementptr double, ptr addrspace(1) %out, i32 %i.maximum
  store double %maximum, ptr addrspace(1) %p.maximum
  %copysign = call double @llvm.copysign.f64(double %a, double %b)
  %i.copysign = add i32 %lane, 512
  %p.copysign = getelementptr double, ptr addrspace(1) %out, i32 %i.copysign
  store double %copysign, ptr addrspace(1) %p.copysign
  %cmp.oeq = fcmp oeq double %a, %b
  %oeq = select i1 %cmp.oeq, double %a, double %c
  %i.oeq = add i32 %lane, 544
  %p.oeq = getelementptr double, ptr addrspace(1) %out, i32 %i.oeq
  store double %oeq, ptr addrspace(1) %p.oeq
  %cmp.olt = fcmp olt double %a, %b
  %olt = select i1 %cmp.olt, double %a, double %c
  %i.olt = add i32 %lane, 576
  %p.olt = getelementptr double, ptr addrspace(1) %out, i32 %i.olt
  store double %olt, ptr addrspace(1) %p.olt
  %cmp.ole = fcmp ole double %a, %b
  %ole = select i1 %cmp.ole, double %a, double %c
  %i.ole = add i32 %lane, 608
  %p.ole = getelementptr double, ptr addrspace(1) %out, i32 %i.ole
  store double %ole, ptr addrspace(1) %p.ole
  %cmp.une = fcmp une double %a, %b
  %une = select i1 %cmp.une, double %a, double %c
  %i.une = add i32 %lane, 640
  %p.une = getelementptr double, ptr addrspace(1) %out, i32 %i.une
  store double %une, ptr addrspace(1) %p.une
  %cmp.ugt = fcmp ugt double %a, %b
  %ugt = select i1 %cmp.ugt, double %a, double %c
  %i.ugt = add i32 %lane, 672
  %p.ugt = getelementptr double, ptr addrspace(1) %out, i32 %i.ugt
  store double %ugt, ptr addrspace(1) %p.ugt
  %cmp.uno = fcmp uno double %a, %b
  %uno = select i1 %cmp.uno, double %a, double %c
  %i.uno = add i32 %lane, 704
  %p.uno = getelementptr double, ptr addrspace(1) %out, i32 %i.uno
  store double %uno, ptr addrspace(1) %p.uno
  %int.s8 = fptosi double %c to i8
  %back.s8 = sitofp i8 %int.s8 to double
  %i.back.s8 = add i32 %lane, 736
  %p.back.s8 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.s8
  store double %back.s8, ptr addrspace(1) %p.back.s8
  %int.u8 = fptoui double %c to i8
  %back.u8 = uitofp i8 %int.u8 to double
  %i.back.u8 = add i32 %lane, 768
  %p.back.u8 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.u8
  store double %back.u8, ptr addrspace(1) %p.back.u8
  %int.s16 = fptosi double %c to i16
  %back.s16 = sitofp i16 %int.s16 to double
  %i.back.s16 = add i32 %lane, 800
  %p.back.s16 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.s16
  store double %back.s16, ptr addrspace(1) %p.back.s16
  %int.u16 = fptoui double %c to i16
  %back.u16 = uitofp i16 %int.u16 to double
  %i.back.u16 = add i32 %lane, 832
  %p.back.u16 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.u16
  store double %back.u16, ptr addrspace(1) %p.back.u16
  %int.s32 = fptosi double %c to i32
  %back.s32 = sitofp i32 %int.s32 to double
  %i.back.s32 = add i32 %lane, 864
  %p.back.s32 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.s32
  store double %back.s32, ptr addrspace(1) %p.back.s32
  %int.u32 = fptoui double %c to i32
  %back.u32 = uitofp i32 %int.u32 to double
  %i.back.u32 = add i32 %lane, 896
  %p.back.u32 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.u32
  store double %back.u32, ptr addrspace(1) %p.back.u32
  %int.s64 = fptosi double %c to i64
  %back.s64 = sitofp i64 %int.s64 to double
  %i.back.s64 = add i32 %lane, 928
  %p.back.s64 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.s64
  store double %back.s64, ptr addrspace(1) %p.back.s64
  %int.u64 = fptoui double %c to i64
  %back.u64 = uitofp i64 %int.u64 to double
  %i.back.u64 = add i32 %lane, 960
  %p.back.u64 = getelementptr double, ptr addrspace(1) %out, i32 %i.back.u64
  store double %back.u64, ptr addrspace(1) %p.back.u64
  %to.f16 = fptrunc double %a to half
  %from.f16 = fpext half %to.f16 to double
  %i.from.f16 = add i32 %lane, 992
  %p.from.f16 = getelementptr double, ptr addrspace(1) %out, i32 %i.from.f16
  store double %from.f16, ptr addrspace(1) %p.from.f16
  %to.bf16 = fptrunc double %a to bfloat
  %from.bf16 = fpext bfloat %to.bf16 to double
  %i.from.bf16 = add i32 %lane, 1024
  %p.from.bf16 = getelementptr double, ptr addrspace(1) %out, i32 %i.from.bf16
  store double %from.bf16, ptr addrspace(1) %p.from.bf16
  %to.f32 = fptrunc double %a to float
  %from.f32 = fpext float %to.f32 to double
  %i.from.f32 = add i32 %lane, 1056
  %p.from.f32 = getelementptr double, ptr addrspace(1) %out, i32 %i.from.f32
  store double %from.f32, ptr addrspace(1) %p.from.f32
  ret void
}

declare <2 x half> @llvm.fma.v2f16(<2 x half>, <2 x half>, <2 x half>)
declare <2 x half> @llvm.maxnum.v2f16(<2 x half>, <2 x half>)
define ptx_kernel void @f16x2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ia = add i32 %lane, 0
  %pa = getelementptr <2 x half>, ptr addrspace(1) %in, i32 %ia
  %a = load <2 x half>, ptr addrspace(1) %pa
  %ib = add i32 %lane, 16
  %pb = getelementptr <2 x half>, ptr addrspace(1) %in, i32 %ib
  %b = load <2 x half>, ptr addrspace(1) %pb
  %ic = add i32 %lane, 32
  %pc = getelementptr <2 x half>, ptr addrspace(1) %in, i32 %ic
  %c = load <2 x half>, ptr addrspace(1) %pc
  %add = fadd <2 x half> %a, %b
  %i.add = add i32 %lane, 0
  %p.add = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %i.add
  store <2 x half> %add, ptr addrspace(1) %p.add
  %sub = fsub <2 x half> %a, %b
  %i.sub = add i32 %lane, 16
  %p.sub = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %i.sub
  store <2 x half> %sub, ptr addrspace(1) %p.sub
  %mul = fmul <2 x half> %a, %b
  %i.mul = add i32 %lane, 32
  %p.mul = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %i.mul
  store <2 x half> %mul, ptr addrspace(1) %p.mul
  %neg = fneg <2 x half> %a
  %i.neg = add i32 %lane, 48
  %p.neg = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %i.neg
  store <2 x half> %neg, ptr addrspace(1) %p.neg
  %fma = call <2 x half> @llvm.fma.v2f16(<2 x half> %a, <2 x half> %b, <2 x half> %c)
  %i.fma = add i32 %lane, 64
  %p.fma = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %i.fma
  store <2 x half> %fma, ptr addrspace(1) %p.fma
  %max = call <2 x half> @llvm.maxnum.v2f16(<2 x half> %a, <2 x half> %b)
  %i.max = add i32 %lane, 80
  %p.max = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %i.max
  store <2 x half> %max, ptr addrspace(1) %p.max
  ret void
}

declare <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat>, <2 x bfloat>, <2 x bfloat>)
declare <2 x bfloat> @llvm.maxnum.v2bf16(<2 x bfloat>, <2 x bfloat>)
define ptx_kernel void @bf16x2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ia = add i32 %lane, 0
  %pa = getelementptr <2 x bfloat>, ptr addrspace(1) %in, i32 %ia
  %a = load <2 x bfloat>, ptr addrspace(1) %pa
  %ib = add i32 %lane, 16
  %pb = getelementptr <2 x bfloat>, ptr addrspace(1) %in, i32 %ib
  %b = load <2 x bfloat>, ptr addrspace(1) %pb
  %ic = add i32 %lane, 32
  %pc = getelementptr <2 x bfloat>, ptr addrspace(1) %in, i32 %ic
  %c = load <2 x bfloat>, ptr addrspace(1) %pc
  %add = fadd <2 x bfloat> %a, %b
  %i.add = add i32 %lane, 0
  %p.add = getelementptr <2 x bfloat>, ptr addrspace(1) %out, i32 %i.add
  store <2 x bfloat> %add, ptr addrspace(1) %p.add
  %sub = fsub <2 x bfloat> %a, %b
  %i.sub = add i32 %lane, 16
  %p.sub = getelementptr <2 x bfloat>, ptr addrspace(1) %out, i32 %i.sub
  store <2 x bfloat> %sub, ptr addrspace(1) %p.sub
  %mul = fmul <2 x bfloat> %a, %b
  %i.mul = add i32 %lane, 32
  %p.mul = getelementptr <2 x bfloat>, ptr addrspace(1) %out, i32 %i.mul
  store <2 x bfloat> %mul, ptr addrspace(1) %p.mul
  %neg = fneg <2 x bfloat> %a
  %i.neg = add i32 %lane, 48
  %p.neg = getelementptr <2 x bfloat>, ptr addrspace(1) %out, i32 %i.neg
  store <2 x bfloat> %neg, ptr addrspace(1) %p.neg
  %fma = call <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat> %a, <2 x bfloat> %b, <2 x bfloat> %c)
  %i.fma = add i32 %lane, 64
  %p.fma = getelementptr <2 x bfloat>, ptr addrspace(1) %out, i32 %i.fma
  store <2 x bfloat> %fma, ptr addrspace(1) %p.fma
  %max = call <2 x bfloat> @llvm.maxnum.v2bf16(<2 x bfloat> %a, <2 x bfloat> %b)
  %i.max = add i32 %lane, 80
  %p.max = getelementptr <2 x bfloat>, ptr addrspace(1) %out, i32 %i.max
  store <2 x bfloat> %max, ptr addrspace(1) %p.max
  ret void
}

declare <2 x float> @llvm.fma.v2f32(<2 x float>, <2 x float>, <2 x float>)
declare <2 x float> @llvm.maxnum.v2f32(<2 x float>, <2 x float>)
define ptx_kernel void @f32x2(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ia = add i32 %lane, 0
  %pa = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %ia
  %a = load <2 x float>, ptr addrspace(1) %pa
  %ib = add i32 %lane, 16
  %pb = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %ib
  %b = load <2 x float>, ptr addrspace(1) %pb
  %ic = add i32 %lane, 32
  %pc = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %ic
  %c = load <2 x float>, ptr addrspace(1) %pc
  %add = fadd <2 x float> %a, %b
  %i.add = add i32 %lane, 0
  %p.add = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %i.add
  store <2 x float> %add, ptr addrspace(1) %p.add
  %sub = fsub <2 x float> %a, %b
  %i.sub = add i32 %lane, 16
  %p.sub = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %i.sub
  store <2 x float> %sub, ptr addrspace(1) %p.sub
  %mul = fmul <2 x float> %a, %b
  %i.mul = add i32 %lane, 32
  %p.mul = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %i.mul
  store <2 x float> %mul, ptr addrspace(1) %p.mul
  %neg = fneg <2 x float> %a
  %i.neg = add i32 %lane, 48
  %p.neg = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %i.neg
  store <2 x float> %neg, ptr addrspace(1) %p.neg
  %fma = call <2 x float> @llvm.fma.v2f32(<2 x float> %a, <2 x float> %b, <2 x float> %c)
  %i.fma = add i32 %lane, 64
  %p.fma = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %i.fma
  store <2 x float> %fma, ptr addrspace(1) %p.fma
  %max = call <2 x float> @llvm.maxnum.v2f32(<2 x float> %a, <2 x float> %b)
  %i.max = add i32 %lane, 80
  %p.max = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %i.max
  store <2 x float> %max, ptr addrspace(1) %p.max
  ret void
}
