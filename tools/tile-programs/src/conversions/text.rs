//! Kernels as text: for the compiler, and as functions that upstream executes.

use super::element::{Element, FACTOR, SHIFT};
use super::kernel::{Argument, Kernel};
use super::memref::{Memref, Number};

/// The bytes before and after the memory of an argument, which no kernel may touch. Arguments are aligned to as many.
pub const MARGIN: usize = 256;

/// The memory around a memref that is an argument.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Its elements.
    pub element: Element,
    /// The number of cells, with the margins.
    pub cells: usize,
    /// The cells of a margin.
    pub margin: usize,
    /// What the first cell counts as in [`Element::initial`].
    pub salt: u64,
}

impl Memory {
    /// The memory of argument `number`.
    pub fn of(memref: &Memref, number: usize) -> Self {
        let (strides, offset) = memref.strides();
        let reach = |(stride, size): (i64, i64)| stride.max(0) * (size - 1).max(0);
        let last: i64 =
            strides.iter().map(|stride| stride.value).zip(memref.shape()).map(reach).sum::<i64>() + offset.value;
        let margin = MARGIN / memref.element.bytes();
        let cells = usize::try_from(last + 1).unwrap_or(0) + 2 * margin;
        Memory { element: memref.element, cells, margin, salt: number as u64 * 1009 + 17 }
    }
}

/// The memories of a kernel's arguments.
pub fn memories(kernel: &Kernel) -> impl Iterator<Item = (usize, &Memref, Memory)> {
    kernel.arguments.iter().enumerate().filter_map(|(number, argument)| match argument {
        Argument::Memory(memref) => Some((number, memref, Memory::of(memref, number))),
        _ => None,
    })
}

fn type_of(argument: &Argument) -> String {
    match argument {
        Argument::Index(_) => "index".to_owned(),
        Argument::Element(element, _) => element.name.to_owned(),
        Argument::Memory(memref) => memref.text(),
    }
}

fn parameters(kernel: &Kernel) -> String {
    let all = kernel.arguments.iter().enumerate();
    all.map(|(number, argument)| format!("%a{number}: {}", type_of(argument))).collect::<Vec<_>>().join(", ")
}

/// The kernel for the compiler.
pub fn device(kernel: &Kernel) -> String {
    let undefined =
        kernel.undefined.map_or_else(String::new, |element| format!("    %undefined = ub.poison : {}\n", element.name));
    let body: String = kernel.lines.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{\n  gpu.func @copy({}) kernel\n      attributes \
         {{known_block_size = array<i32: {}, 1, 1>}} {{\n{undefined}{body}    gpu.return\n  }}\n}}\n",
        parameters(kernel),
        kernel.threads
    )
}

/// A function that does what one thread of the kernel does, and one that calls it and prints all memory. Undefined values
/// are 5 (`first`) or 7.
pub fn host(kernel: &Kernel, name: &str, first: bool) -> String {
    let undefined = kernel.undefined.map_or_else(String::new, |element| {
        format!("  %undefined = arith.constant {} : {}\n", element.number(first).0, element.name)
    });
    let lines = kernel.lines.iter().filter(|line| line.trim() != "gpu.barrier");
    let body: String = lines.map(|line| format!("  {line}\n")).collect();
    let function = format!("func.func @{name}({}) {{\n{undefined}{body}  return\n}}\n", parameters(kernel));
    format!("{function}{}", call(kernel, name))
}

/// The function `run_` that calls a kernel with its arguments.
fn call(kernel: &Kernel, name: &str) -> String {
    let mut text = format!("func.func @run_{name}() {{\n");
    let (mut values, mut prints) = (Vec::new(), String::new());
    for (number, argument) in kernel.arguments.iter().enumerate() {
        let value = format!("%a{number}");
        match argument {
            Argument::Index(index) => text += &format!("  {value} = arith.constant {index} : index\n"),
            Argument::Element(element, first) => {
                text += &format!("  {value} = arith.constant {} : {}\n", element.number(*first).0, element.name);
            }
            Argument::Memory(memref) => {
                text += &memory(memref, number);
                prints += &print(&Memory::of(memref, number), number);
            }
        }
        values.push(value);
    }
    let types: Vec<String> = kernel.arguments.iter().map(type_of).collect();
    text +=
        &format!("  func.call @{name}({}) : ({}) -> ()\n{prints}  return\n}}\n", values.join(", "), types.join(", "));
    text
}

/// The memory of an argument, with its values, and the memref in it.
fn memory(memref: &Memref, n: usize) -> String {
    let Memory { element, cells, margin, salt } = Memory::of(memref, n);
    let (bytes, inner) = (cells * element.bytes(), cells - 2 * margin);
    let Element { bits, name, .. } = element;
    let mut lines = vec![
        format!("%bytes{n} = memref.alloc() {{alignment = 64}} : memref<{bytes}xi8>"),
        format!("%zero{n} = arith.constant 0 : index"),
        format!("%shift{n} = arith.constant {MARGIN} : index"),
        format!("%bits{n} = memref.view %bytes{n}[%zero{n}][] : memref<{bytes}xi8> to memref<{cells}xi{bits}>"),
        format!("%open{n} = memref.cast %bits{n} : memref<{cells}xi{bits}> to memref<?xi{bits}>"),
        format!("%inner{n} = memref.view %bytes{n}[%shift{n}][] : memref<{bytes}xi8> to memref<{inner}x{name}>"),
        format!("%salt{n} = arith.constant {salt} : i64"),
        format!("%mask{n} = arith.constant {} : i64", element.mask() as i64),
        format!("func.call @fill{bits}(%open{n}, %salt{n}, %mask{n}) : (memref<?xi{bits}>, i64, i64) -> ()"),
    ];
    let mut operand = |number: Number| {
        if number.is_static {
            return number.text();
        }
        let name = format!("%n{n}_{}", lines.len());
        lines.push(format!("{name} = arith.constant {} : index", number.value));
        name
    };
    let (strides, offset) = memref.strides();
    let offset = operand(offset);
    let sizes: Vec<String> = memref.sizes.iter().map(|&size| operand(size)).collect();
    let strides: Vec<String> = strides.into_iter().map(operand).collect();
    let (sizes, strides) = (sizes.join(", "), strides.join(", "));
    lines.push(format!(
        "%a{n} = memref.reinterpret_cast %inner{n} to offset: [{offset}], sizes: [{sizes}], strides: [{strides}] : \
         memref<{inner}x{name}> to {}",
        memref.text()
    ));
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn print(memory: &Memory, number: usize) -> String {
    let bits = memory.element.bits;
    format!(
        "  func.call @print{bits}(%open{number}) : (memref<?xi{bits}>) -> ()\n  memref.dealloc %bytes{number} : memref<{}xi8>\n",
        memory.cells * memory.element.bytes()
    )
}

/// The functions that fill and print memory, for all widths of elements.
pub fn prelude() -> String {
    let mut text = "func.func private @printI64(i64)\nfunc.func private @printNewline()\n".to_owned();
    for bits in [8, 16, 32, 64] {
        let narrow = |value: &str, operation: &str, from: &str, to: &str| {
            if bits == 64 {
                format!("arith.ori {value}, {value} : i64")
            } else {
                format!("arith.{operation} {value} : {from} to {to}")
            }
        };
        let (trunc, extend) =
            (narrow("%d", "trunci", "i64", &format!("i{bits}")), narrow("%b", "extui", &format!("i{bits}"), "i64"));
        let loops = format!(
            "  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %size = memref.dim %m, %zero : \
             memref<?xi{bits}>\n  scf.for %i = %zero to %size step %one {{\n"
        );
        text += &format!(
            "func.func @fill{bits}(%m: memref<?xi{bits}>, %salt: i64, %mask: i64) {{\n  %factor = arith.constant {} : \
             i64\n  %shift = arith.constant {SHIFT} : i64\n{loops}    %k = arith.index_cast %i : index to i64\n    %s = \
             arith.addi %k, %salt : i64\n    %p = arith.muli %s, %factor : i64\n    %h = arith.shrui %p, %shift : i64\n    \
             %x = arith.xori %p, %h : i64\n    %d = arith.andi %x, %mask : i64\n    %b = {trunc}\n    memref.store %b, \
             %m[%i] : memref<?xi{bits}>\n  }}\n  return\n}}\n",
            FACTOR as i64
        );
        text += &format!(
            "func.func @print{bits}(%m: memref<?xi{bits}>) {{\n{loops}    %b = memref.load %m[%i] : memref<?xi{bits}>\n    \
             %e = {extend}\n    func.call @printI64(%e) : (i64) -> ()\n    func.call @printNewline() : () -> ()\n  }}\n  \
             return\n}}\n"
        );
    }
    text
}
