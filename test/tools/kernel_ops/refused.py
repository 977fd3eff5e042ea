"""Ops and types that are refused on every chip, or on some."""

# What is refused on every chip: the op, the types, its text on operands of these types, and what the error says.
REFUSED = [
    ("arith.addf", "f6E2M3FN", ["f6E2M3FN"], "arith.addf %0, %0 : f6E2M3FN", "is on f6E2M3FN, expected f16, bf16"),
    ("arith.addf", "f4E2M1FN", ["f4E2M1FN"], "arith.addf %0, %0 : f4E2M1FN", "is on f4E2M1FN, expected f16, bf16"),
    ("arith.mulf", "f8E8M0FNU", ["f8E8M0FNU"], "arith.mulf %0, %0 : f8E8M0FNU", "is on f8E8M0FNU, expected f16, bf16"),
    ("arith.addf", "f128", ["f128"], "arith.addf %0, %0 : f128", "is on f128, expected f16, bf16"),
    ("arith.extf", "f4E2M1FN to f32", ["f4E2M1FN"], "arith.extf %0 : f4E2M1FN to f32", "is on f4E2M1FN, expected f16, bf16"),
    ("arith.sitofp", "i128 to f32", ["i128"], "arith.sitofp %0 : i128 to f32", "converts between i128 and a float"),
    ("arith.uitofp", "i128 to f64", ["i128"], "arith.uitofp %0 : i128 to f64", "converts between i128 and a float"),
    ("arith.fptosi", "f32 to i128", ["f32"], "arith.fptosi %0 : f32 to i128", "converts between i128 and a float"),
    ("arith.fptoui", "f64 to i128", ["f64"], "arith.fptoui %0 : f64 to i128", "converts between i128 and a float"),
    ("math.exp", "f8E8M0FNU", ["f8E8M0FNU"], "math.exp %0 : f8E8M0FNU", "is on f8E8M0FNU, expected f16, bf16"),
    ("math.powf", "f64", ["f64"], "math.powf %0, %0 : f64", "has no expansion on f64"),
    ("math.erf", "f64", ["f64"], "math.erf %0 : f64", "has no expansion on f64"),
    ("math.erfc", "f64", ["f64"], "math.erfc %0 : f64", "has no expansion on f64"),
    ("math.fpowi", "f64", ["f64", "i32"], "math.fpowi %0, %1 : f64, i32", "has no expansion on f64"),
    ("gpu.all_reduce", "f6E2M3FN", ["f6E2M3FN"], "gpu.all_reduce add %0 uniform {} : (f6E2M3FN) -> (f6E2M3FN)",
     "is on f6E2M3FN, expected f16, bf16"),
    ("gpu.subgroup_broadcast", "first_active_lane", ["i32"], "gpu.subgroup_broadcast %0, first_active_lane : i32",
     "is of the first active lane, expected a specific one"),
    ("memref.atomic_rmw", "i1", ["i1"], "memref.atomic_rmw ori %0, %A0[%t] : (i1, memref<64xi1>) -> i1",
     "updates i1, expected 8, 16, 32 or 64 bits"),
    ("memref.atomic_rmw", "i128", ["i128"], "memref.atomic_rmw addi %0, %A0[%t] : (i128, memref<64xi128>) -> i128",
     "updates i128, expected 8, 16, 32 or 64 bits"),
    ("memref.generic_atomic_rmw", "i128", ["i128"],
     "memref.generic_atomic_rmw %A0[%t] : memref<64xi128> { ^bb0(%old: i128): memref.atomic_yield %0 : i128 }",
     "updates i128, expected 8, 16, 32 or 64 bits"),
    ("vector.reduction", "f6E2M3FN", ["vector<4xf6E2M3FN>"], "vector.reduction <add>, %0 : vector<4xf6E2M3FN> into f6E2M3FN",
     "is on f6E2M3FN, expected f16, bf16"),
]

# What a chip without conversions of 8-bit floats says.
WITHOUT_FP8 = "needs sm_89 or later, with PTX 8.1 or later; got"
