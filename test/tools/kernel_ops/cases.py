"""The table: ops of other dialects, the types that they take, and what they compute."""

import math
from dataclasses import dataclass, field
from fractions import Fraction

from formats import FLOATS, INTEGERS, decode, encode, signed, wrap

THREADS = 64
SLOTS = 8
WARP = 32
WORDS = ["i8", "i16", "i32", "i64", "index"]
NUMBERS = list(FLOATS)
FP8 = ["f8E4M3FN", "f8E5M2"]
# The floats for which every function has an expansion.
SINGLE = ["f16", "bf16", "f32", *FP8]


@dataclass
class Case:
    """One op on some types. `compute` gets the lists of all threads' operands, as bits, and returns the list of results."""

    op: str
    types: str
    operands: list
    result: str
    body: str
    compute: object
    domains: list = field(default_factory=list)
    ulps: int = 0
    form: str = "map"

    def needs_fp8(self):
        return any(name in FP8 for name in [*self.operands, self.result] + self.types.replace(" to ", " ").split())


def each(function):
    return lambda *lists: [function(*values) for values in zip(*lists)]


def on_floats(function, type_name):
    """A function of numbers on bits; what it raises is not compared."""

    def compute(*bits):
        return encode(function(*(decode(word, type_name) for word in bits)), type_name)

    return each(compute)


def on_signed(function, type_name):
    return each(lambda *bits: wrap(function(*(signed(word, type_name) for word in bits)), type_name))


def on_unsigned(function, type_name):
    return each(lambda *bits: wrap(function(*bits), type_name))


def truncated(a, b):
    return int(Fraction(a, b)) if b else 0


def integer_ops(cases):
    both = {
        "addi": (lambda a, b: a + b, "any"), "subi": (lambda a, b: a - b, "any"), "muli": (lambda a, b: a * b, "any"),
        "andi": (lambda a, b: a & b, "any"), "ori": (lambda a, b: a | b, "any"), "xori": (lambda a, b: a ^ b, "any"),
        "maxui": (max, "any"), "minui": (min, "any"), "divui": (lambda a, b: a // b, "divisor"),
        "remui": (lambda a, b: a % b, "divisor"), "ceildivui": (lambda a, b: -(-a // b), "divisor"),
        "shli": (lambda a, b: a << b, "shift"), "shrui": (lambda a, b: a >> b, "shift"),
    }
    with_sign = {
        "maxsi": (max, "any"), "minsi": (min, "any"), "divsi": (truncated, "divisor"),
        "remsi": (lambda a, b: a - b * truncated(a, b), "divisor"), "ceildivsi": (lambda a, b: -(-a // b), "divisor"),
        "floordivsi": (lambda a, b: a // b, "divisor"), "shrsi": (lambda a, b: a >> b, "shift"),
    }
    for table, wrapped in ((both, on_unsigned), (with_sign, on_signed)):
        for name, (function, domain) in table.items():
            for kind in WORDS + ["i1"] * (domain == "any"):
                cases.append(Case(f"arith.{name}", kind, [kind, kind], kind, f"arith.{name} %0, %1 : {kind}",
                                  wrapped(function, kind), ["any", domain]))
    predicates = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
                  "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    for kind in WORDS:
        for name, function in predicates.items():
            for sign in ["u", "s"] if name not in ("eq", "ne") else [""]:
                read = (lambda word, kind=kind: signed(word, kind)) if sign == "s" else (lambda word: word)
                cases.append(Case("arith.cmpi", kind, [kind, kind], "i1", f"arith.cmpi {sign}{name}, %0, %1 : {kind}",
                                  each(lambda a, b, f=function, read=read: int(f(read(a), read(b))))))
        cases.append(Case("arith.addui_extended", kind, [kind, kind], "i1",
                          f"#1 arith.addui_extended %0, %1 : {kind}, i1",
                          each(lambda a, b, kind=kind: (a + b) >> INTEGERS[kind])))
        for sign, read in (("u", lambda word, kind: word), ("s", signed)):
            cases.append(Case(f"arith.mul{sign}i_extended", kind, [kind, kind], kind,
                              f"#1 arith.mul{sign}i_extended %0, %1 : {kind}",
                              each(lambda a, b, kind=kind, read=read: wrap(read(a, kind) * read(b, kind) >> INTEGERS[kind], kind))))
        cases.append(Case("math.absi", kind, [kind], kind, f"math.absi %0 : {kind}", on_signed(abs, kind)))
        bits = INTEGERS[kind]
        cases.append(Case("math.ctpop", kind, [kind], kind, f"math.ctpop %0 : {kind}", each(lambda a: bin(a).count("1"))))
        cases.append(Case("math.ctlz", kind, [kind], kind, f"math.ctlz %0 : {kind}",
                          each(lambda a, bits=bits: bits - a.bit_length()), ["sparse"]))
        cases.append(Case("math.cttz", kind, [kind], kind, f"math.cttz %0 : {kind}",
                          each(lambda a, bits=bits: (a & -a).bit_length() - 1 if a else bits), ["sparse"]))
        cases.append(Case("math.ipowi", kind, [kind, kind], kind, f"math.ipowi %0, %1 : {kind}",
                          on_signed(integer_power, kind), ["base", "exponent"]))
    for kind in [*WORDS, "i1", *NUMBERS]:
        cases.append(Case("arith.select", kind, ["i1", kind, kind], kind, f"arith.select %0, %1, %2 : {kind}",
                          each(lambda c, a, b: a if c else b)))


def integer_power(base, exponent):
    if exponent >= 0:
        return base**exponent
    return {1: 1, -1: 1 if exponent % 2 == 0 else -1}.get(base, 0)


def float_ops(cases):
    two = {"addf": lambda a, b: a + b, "subf": lambda a, b: a - b, "mulf": lambda a, b: a * b, "divf": lambda a, b: a / b,
           "maximumf": max, "minimumf": min, "maxnumf": max, "minnumf": min,
           "remf": lambda a, b: a - b * int(a / b)}
    for kind in NUMBERS:
        for name, function in two.items():
            domains = ["finite", "nonzero" if name in ("divf", "remf") else "finite"]
            if name == "remf":
                domains = ["unit", "unit"]
            cases.append(Case(f"arith.{name}", kind, [kind, kind], kind, f"arith.{name} %0, %1 : {kind}",
                              on_floats(function, kind), domains))
        cases.append(Case("arith.negf", kind, [kind], kind, f"arith.negf %0 : {kind}", on_floats(lambda a: -a, kind), ["finite"]))
        for name, function in {"olt": lambda a, b: a < b, "oeq": lambda a, b: a == b, "uge": lambda a, b: not a < b,
                               "une": lambda a, b: a != b, "uno": lambda a, b: a != a or b != b}.items():
            cases.append(Case("arith.cmpf", kind, [kind, kind], "i1", f"arith.cmpf {name}, %0, %1 : {kind}",
                              each(lambda a, b, f=function, kind=kind: int(f(decode(a, kind), decode(b, kind)))), ["bits", "bits"]))


def conversions(cases):
    def add(op, source, target, compute, domain="any"):
        cases.append(Case(f"arith.{op}", f"{source} to {target}", [source], target, f"arith.{op} %0 : {source} to {target}",
                          each(compute), [domain]))

    words = ["i1", *WORDS[:4], "i128"]
    for source in words:
        for target in words:
            if INTEGERS[source] < INTEGERS[target]:
                add("extui", source, target, lambda a: a)
                add("extsi", source, target, lambda a, s=source, t=target: wrap(signed(a, s), t))
                add("trunci", target, source, lambda a, t=source: wrap(a, t))
    for kind in ["i8", "i16", "i32", "i64"]:
        add("index_cast", kind, "index", lambda a, k=kind: wrap(signed(a, k), "index"))
        add("index_castui", kind, "index", lambda a: a)
        add("index_cast", "index", kind, lambda a, k=kind: wrap(a, k))
        add("index_castui", "index", kind, lambda a, k=kind: wrap(a, k))
        for number in NUMBERS:
            add("sitofp", kind, number, lambda a, k=kind, n=number: encode(signed(a, k), n))
            add("uitofp", kind, number, lambda a, n=number: encode(a, n))
            add("fptosi", number, kind, lambda a, k=kind, n=number: wrap(int(decode(a, n)), k), "small")
            add("fptoui", number, kind, lambda a, k=kind, n=number: wrap(int(abs(decode(a, n))), k), "count")
    for number in NUMBERS:
        exponent, mantissa, _ = FLOATS[number]
        same = next(kind for kind, bits in INTEGERS.items() if bits == 1 + exponent + mantissa)
        add("bitcast", number, same, lambda a: a)
        add("bitcast", same, number, lambda a: a)
        for other in NUMBERS:
            if sum(FLOATS[number][:2]) < sum(FLOATS[other][:2]):
                add("extf", number, other, lambda a, n=number, o=other: encode(decode(a, n), o), "finite")
                add("truncf", other, number, lambda a, n=number, o=other: encode(decode(a, o), n), "near" if number in FP8 else "bits")


def math_ops(cases):
    exact = {"absf": abs, "ceil": math.ceil, "floor": math.floor, "trunc": int, "roundeven": round,
             "round": lambda a: int(a + Fraction(1, 2)) if a > 0 else int(a - Fraction(1, 2))}
    functions = {
        "acos": (math.acos, "unit"), "acosh": (math.acosh, "above"), "asin": (math.asin, "unit"), "asinh": (math.asinh, "medium"),
        "atan": (math.atan, "medium"), "atanh": (math.atanh, "inside"), "cbrt": (lambda a: math.copysign(abs(a) ** (1 / 3), a), "medium"),
        "cos": (math.cos, "unit"), "cosh": (math.cosh, "unit"), "exp": (math.exp, "unit"), "exp2": (lambda a: 2.0**a, "unit"),
        "expm1": (math.expm1, "unit"), "log": (math.log, "above"), "log10": (math.log10, "above"), "log1p": (math.log1p, "above"),
        "log2": (math.log2, "above"), "rsqrt": (lambda a: 1 / math.sqrt(a), "above"), "sin": (math.sin, "unit"),
        "sinh": (math.sinh, "unit"), "sqrt": (math.sqrt, "above"), "tan": (math.tan, "unit"), "tanh": (math.tanh, "unit"),
        "erf": (math.erf, "unit"), "erfc": (math.erfc, "unit"),
    }
    for kind in NUMBERS:
        for name, function in exact.items():
            cases.append(Case(f"math.{name}", kind, [kind], kind, f"math.{name} %0 : {kind}", on_floats(function, kind), ["medium"]))
        for name, (function, domain) in functions.items():
            if kind == "f64" and name in ("erf", "erfc"):
                continue
            cases.append(Case(f"math.{name}", kind, [kind], kind, f"math.{name} %0 : {kind}",
                              on_floats(lambda a, f=function: f(float(a)), kind), [domain], 8 if kind == "f64" else 4))
        tests = {"isnan": lambda a: a != a, "isinf": lambda a: isinstance(a, float) and math.isinf(a),
                 "isfinite": lambda a: not isinstance(a, float),
                 "isnormal": lambda a, kind=kind: not isinstance(a, float) and abs(a) >= least_normal(kind)}
        for name, function in tests.items():
            cases.append(Case(f"math.{name}", kind, [kind], "i1", f"math.{name} %0 : {kind}",
                              each(lambda a, f=function, kind=kind: int(f(decode(a, kind)))), ["bits"]))
        cases.append(Case("math.copysign", kind, [kind, kind], kind, f"math.copysign %0, %1 : {kind}",
                          on_floats(lambda a, b: abs(a) if b > 0 else -abs(a), kind), ["nonzero", "nonzero"]))
        cases.append(Case("math.atan2", kind, [kind, kind], kind, f"math.atan2 %0, %1 : {kind}",
                          on_floats(lambda a, b: math.atan2(float(a), float(b)), kind), ["unit", "unit"], 8))
        cases.append(Case("math.fma", kind, [kind] * 3, kind, f"math.fma %0, %1, %2 : {kind}",
                          on_floats(lambda a, b, c: a * b + c, kind), ["unit"] * 3))
        cases.append(Case("math.clampf", kind, [kind] * 3, kind, f"math.clampf %0 to [%1, %2] : {kind}",
                          on_floats(lambda a, b, c: min(max(a, b), c), kind), ["finite", "inside", "above"]))
        cases.append(Case("math.sincos", kind, [kind], kind, f"#1 math.sincos %0 : {kind}",
                          on_floats(lambda a: math.cos(float(a)), kind), ["unit"], 8))
        if kind in SINGLE:
            cases.append(Case("math.powf", kind, [kind, kind], kind, f"math.powf %0, %1 : {kind}",
                              on_floats(lambda a, b: float(a) ** float(b), kind), ["above", "unit"], 4))
            for integer in WORDS[:4]:
                cases.append(Case("math.fpowi", f"{kind}", [kind, integer], kind, f"math.fpowi %0, %1 : {kind}, {integer}",
                                  each(lambda a, n, k=kind, i=integer: encode(decode(a, k) ** signed(n, i), k)),
                                  ["above", "exponent"], 4))


def least_normal(kind):
    exponent, mantissa, _ = FLOATS[kind]
    return decode(1 << mantissa, kind)


def ids(cases):
    numbers = {"thread_id x": lambda t: t, "thread_id y": lambda t: 0, "block_id x": lambda t: 0, "block_dim x": lambda t: THREADS,
               "grid_dim z": lambda t: 1, "global_id x": lambda t: t, "lane_id": lambda t: t % WARP,
               "subgroup_id": lambda t: t // WARP, "num_subgroups": lambda t: THREADS // WARP, "subgroup_size": lambda t: WARP}
    for name, function in numbers.items():
        typed = " : index" if "subgroup" in name else ""
        cases.append(Case(f"gpu.{name.split()[0]}", "index", [], "index", f"gpu.{name}{typed}",
                          lambda f=function: [f(t) for t in range(THREADS)]))


def exchanges(cases):
    sources = {"xor": lambda lane: lane ^ 3, "up": lambda lane: lane - 3 if lane >= 3 else lane,
               "down": lambda lane: lane + 3 if lane + 3 < WARP else lane, "idx": lambda lane: 3}

    def moved(function):
        return lambda values: [values[t // WARP * WARP + function(t % WARP)] for t in range(THREADS)]

    for kind in ["i1", *WORDS[:4], "i128", *NUMBERS]:
        for name, function in sources.items():
            cases.append(Case("gpu.shuffle", kind, [kind], kind, f"#0 gpu.shuffle {name} %0, %three, %warp : {kind}", moved(function)))
        cases.append(Case("gpu.rotate", kind, [kind], kind, f"#0 gpu.rotate %0, 3, 8 : {kind}",
                          moved(lambda lane: lane // 8 * 8 + (lane + 3) % 8)))
        cases.append(Case("gpu.subgroup_broadcast", kind, [kind], kind,
                          f"gpu.subgroup_broadcast %0, specific_lane %three : {kind}", moved(lambda lane: 3)))


def reductions(cases):
    integers = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
                "xor": lambda a, b: a ^ b, "minui": min, "maxui": max}
    with_sign = {"minsi": min, "maxsi": max}
    floats = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "minimumf": min, "maximumf": max, "minnumf": min, "maxnumf": max}
    for kind in [*WORDS[:4], "i128", *NUMBERS]:
        operators = [(name, f, lambda a: a) for name, f in integers.items()]
        operators += [(name, f, lambda a, k=kind: signed(a, k)) for name, f in with_sign.items()]
        if kind in FLOATS:
            operators = [(name, f, lambda a, k=kind: decode(a, k)) for name, f in floats.items()]
        write = (lambda a, k=kind: encode(a, k)) if kind in FLOATS else (lambda a, k=kind: wrap(a, k))
        for name, function, read in operators:
            def over(count, function=function, read=read, write=write, stride=1):
                def compute(values):
                    numbers = [read(value) for value in values]
                    results = []
                    for t in range(THREADS):
                        group = [u for u in range(THREADS) if u // count == t // count] if stride == 1 else [
                            u for u in range(THREADS) if u // 8 == t // 8 and u % stride == t % stride]
                        total = numbers[group[0]]
                        for u in group[1:]:
                            total = function(total, numbers[u])
                        results.append(write(total))
                    return results

                return compute

            domain = ["signs" if name == "mul" else "ones"] if kind in FLOATS and name in ("add", "mul") else ["finite" if kind in FLOATS else "any"]
            forms = [("gpu.all_reduce", f"{name} %0 uniform {{}} : ({kind}) -> ({kind})", over(THREADS)),
                     ("gpu.subgroup_reduce", f"{name} %0 : ({kind}) -> ({kind})", over(WARP)),
                     ("gpu.subgroup_reduce", f"{name} %0 uniform : ({kind}) -> ({kind})", over(WARP)),
                     ("gpu.subgroup_reduce", f"{name} %0 cluster(size = 4) : ({kind}) -> ({kind})", over(4)),
                     ("gpu.subgroup_reduce", f"{name} %0 cluster(size = 4, stride = 2) : ({kind}) -> ({kind})", over(4, stride=2))]
            for op, text, compute in forms:
                cases.append(Case(op, kind, [kind], kind, f"{op} {text}", compute, domain))


def updates(cases):
    """Every thread updates one of a few elements, so that several meet in each."""
    integers = {"addi": lambda a, b: a + b, "muli": lambda a, b: a * b, "andi": lambda a, b: a & b, "ori": lambda a, b: a | b,
                "xori": lambda a, b: a ^ b, "minu": min, "maxu": max}
    with_sign = {"mins": min, "maxs": max}
    floats = {"addf": lambda a, b: a + b, "mulf": lambda a, b: a * b, "minimumf": min, "maximumf": max, "minnumf": min, "maxnumf": max}
    for kind in [*WORDS[:4], *NUMBERS]:
        operators = [(name, f, lambda a: a, "any") for name, f in integers.items()]
        operators += [(name, f, lambda a, k=kind: signed(a, k), "any") for name, f in with_sign.items()]
        if kind in FLOATS:
            operators = [(name, f, lambda a, k=kind: decode(a, k), {"addf": "ones", "mulf": "signs"}.get(name, "finite"))
                         for name, f in floats.items()]
        write = (lambda a, k=kind: encode(a, k)) if kind in FLOATS else (lambda a, k=kind: wrap(a, k))
        for name, function, read, domain in operators:
            def compute(values, function=function, read=read, write=write):
                slots = [read(value) for value in values[:SLOTS]]
                for t in range(SLOTS, THREADS):
                    slots[t % SLOTS] = function(slots[t % SLOTS], read(values[t]))
                return [write(slot) for slot in slots]

            memory = f"memref<{{rows}}x{SLOTS}x{kind}>"
            cases.append(Case("memref.atomic_rmw", kind, [kind], kind,
                              f"memref.atomic_rmw {name} %0, %memory[%row, %slot] : ({kind}, {memory}) -> {kind}",
                              compute, [domain], form="update"))
        add = "addf" if kind in FLOATS else "addi"
        compute = [case.compute for case in cases if case.op == "memref.atomic_rmw" and f" {add} " in case.body and case.types == kind][0]
        cases.append(Case("memref.generic_atomic_rmw", kind, [kind], kind,
                          f"memref.generic_atomic_rmw %memory[%row, %slot] : {memory} {{ ^bb0(%old: {kind}): "
                          f"%new = arith.{add} %old, %0 : {kind} memref.atomic_yield %new : {kind} }}",
                          compute, ["ones" if kind in FLOATS else "any"], form="update"))


def vectors(cases):
    """Ops on vectors of the operands, of which a number is taken."""
    def add(op, types, kind, count, text, result, compute, domain):
        elements = ", ".join(f"%{at}" for at in range(count))
        cases.append(Case(op, types, [kind] * count, result,
                          f"%v{{n}} = vector.from_elements {elements} : vector<{count}x{kind}>\n{text}", compute, [domain] * count))

    for kind in [*WORDS, *NUMBERS]:
        number, read, write = kind in FLOATS, (lambda a: a), (lambda a, k=kind: wrap(a, k))
        if number:
            read, write = (lambda a, k=kind: decode(a, k)), (lambda a, k=kind: encode(a, k))
        kinds = {"minimumf": min, "maximumf": max, "minnumf": min, "maxnumf": max} if number else {"minui": min, "maxui": max}
        kinds["add"], kinds["mul"] = (lambda a, b: a + b), (lambda a, b: a * b)
        for count in (3, 4):
            for name, function in kinds.items():
                def compute(*lists, function=function, read=read, write=write):
                    totals = []
                    for values in zip(*lists):
                        total = read(values[0])
                        for value in values[1:]:
                            total = function(total, read(value))
                        totals.append(write(total))
                    return totals

                domain = {"add": "ones", "mul": "signs"}.get(name, "finite") if number else "any"
                add("vector.reduction", kind, kind, count, f"vector.reduction <{name}>, %v{{n}} : vector<{count}x{kind}> into {kind}",
                    kind, compute, domain)
        vector = f"vector<4x{kind}>"
        for op, compute in {"addf" if number else "addi": each(lambda *v, r=read, w=write: w(2 * r(v[2])))}.items():
            add(f"arith.{op}", kind, kind, 4, f"%w{{n}} = arith.{op} %v{{n}}, %v{{n}} : {vector}\nvector.extract %w{{n}}[2] : {kind} from {vector}",
                kind, compute, "ones" if number else "any")
        add("vector.extract", kind, kind, 4, f"%i{{n}} = arith.andi %t, %last : index\nvector.extract %v{{n}}[%i{{n}}] : {kind} from {vector}",
            kind, lambda *lists: [lists[t % 4][t] for t in range(THREADS)], "finite" if number else "any")
        add("vector.shuffle", kind, kind, 4, f"%w{{n}} = vector.shuffle %v{{n}}, %v{{n}} [5, 0] : {vector}, {vector}\n"
            f"vector.extract %w{{n}}[0] : {kind} from vector<2x{kind}>", kind, each(lambda *v: v[1]), "finite" if number else "any")
        add("gpu.shuffle", kind, kind, 3, f"%w{{n}}, %p{{n}} = gpu.shuffle idx %v{{n}}, %three, %warp : vector<3x{kind}>\n"
            f"vector.extract %w{{n}}[1] : {kind} from vector<3x{kind}>", kind,
            lambda *lists: [lists[1][t // WARP * WARP + 3] for t in range(THREADS)], "finite" if number else "any") if kind != "index" else None
        if number:
            add("vector.fma", kind, kind, 4, f"%w{{n}} = vector.fma %v{{n}}, %v{{n}}, %v{{n}} : {vector}\nvector.extract %w{{n}}[3] : {kind} from {vector}",
                kind, each(lambda *v, r=read, w=write: w(r(v[3]) ** 2 + r(v[3]))), "ones")
        else:
            add("math.ctpop", kind, kind, 4, f"%w{{n}} = math.ctpop %v{{n}} : {vector}\nvector.extract %w{{n}}[3] : {kind} from {vector}",
                kind, each(lambda *v: bin(v[3]).count("1")), "any")
    for source in ["f64", "f32", "f16", "bf16"]:
        for target in FP8:
            for count in (3, 4):
                wide, narrow = f"vector<{count}x{source}>", f"vector<{count}x{target}>"
                add("arith.truncf", f"{source} to {target}", source, count,
                    f"%w{{n}} = arith.truncf %v{{n}} : {wide} to {narrow}\nvector.extract %w{{n}}[2] : {target} from {narrow}",
                    target, each(lambda *v, s=source, t=target: encode(decode(v[2], s), t)), "near")


def all_cases():
    cases = []
    for add in (integer_ops, float_ops, conversions, math_ops, ids, exchanges, reductions, updates, vectors):
        add(cases)
    return cases
