//! Bodies of `tile.chained`, and the modules with them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ptx_sim::Module;
use tile_conformance::lower::Compiler;

use crate::inputs::encoded;

/// What a body computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// Keeps the elements whose lowest bit is set (floats: those above 0).
    Select,
    /// Keeps the elements whose flag is not 0.
    SelectFlagged,
    /// Those whose lowest bit is set, and the others.
    Partition,
    /// Each run of equal elements once, and its length.
    RunLengthEncode,
    /// Each run of equal keys once, and the sum of its values.
    ReduceByKey,
}

/// A body on elements of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// What it computes.
    pub work: Work,
    /// The type of elements, or of keys.
    pub element: &'static str,
    /// The type of values.
    pub value: &'static str,
    /// The attributes of the op.
    pub options: String,
    /// The chip.
    pub chip: &'static str,
    /// Whether the number of elements is in memory.
    pub has_length: bool,
    /// Offset of all arrays from an aligned address, in elements.
    pub offset: usize,
}

impl Body {
    /// A body for sm_90a.
    pub fn new(work: Work, element: &'static str, value: &'static str, options: &str) -> Self {
        Body { work, element, value, options: options.to_owned(), chip: "sm_90a", has_length: false, offset: 0 }
    }

    /// The elements of each source, with their type.
    pub fn sources(&self, elements: &[i64], others: &[i64]) -> Vec<(&'static str, Vec<u8>)> {
        let list = |name, values| (name, encoded(name, values));
        match self.work {
            Work::SelectFlagged => vec![list(self.element, elements), list("i8", others)],
            Work::ReduceByKey => vec![list(self.element, elements), list(self.value, others)],
            _ => vec![list(self.element, elements)],
        }
    }

    /// The types of each array of results.
    pub fn results(&self) -> Vec<&'static str> {
        match self.work {
            Work::Select | Work::SelectFlagged => vec![self.element],
            Work::Partition => vec![self.element; 2],
            Work::RunLengthEncode => vec![self.element, "i32"],
            Work::ReduceByKey => vec![self.element, self.value],
        }
    }

    /// The number of results in each of them, of `n` elements.
    pub fn lengths(&self, total: i64, n: usize) -> [usize; 2] {
        let total = total as usize;
        [total, if self.work == Work::Partition { n - total.min(n) } else { total }]
    }

    /// The module.
    pub fn text(&self) -> String {
        let Body { work, value: v, options, chip, .. } = self;
        let ins: Vec<_> = self.sources(&[], &[]).into_iter().map(|(name, _)| name).collect();
        let outs = self.results();
        let halo = if matches!(work, Work::RunLengthEncode | Work::ReduceByKey) { "halo" } else { "" };
        let array = |name: &str| match self.offset {
            0 => format!("memref<?x{name}>"),
            offset => format!("memref<?x{name}, strided<[1], offset: {offset}>>"),
        };
        let list = |prefix: &str, types: &[&str]| -> [String; 3] {
            let names: Vec<_> = (0..types.len()).map(|index| format!("%{prefix}{index}")).collect();
            let arrays: Vec<_> = types.iter().map(|name| array(name)).collect();
            let parameters: Vec<_> =
                names.iter().zip(&arrays).map(|(name, array)| format!("{name}: {array}")).collect();
            [names.join(", "), arrays.join(", "), parameters.join(", ")]
        };
        let ([x, xt, xp], [y, yt, yp]) = (list("x", &ins), list("y", &outs));
        let (length_parameter, length) = match self.has_length {
            true => (", %length: memref<1xi64>", "length(%length : memref<1xi64>)"),
            false => ("", ""),
        };
        let init = if *work == Work::ReduceByKey { format!("[0 : i32, {} : {v}]", zero(v)) } else { init(*work) };
        format!(
            "gpu.module @kernels [#nvvm.target<chip = \"{chip}\">] {{}}
             func.func @host({xp}, {yp}, %total: memref<1xi32>, %space: memref<?xi8>, %epoch: i32{length_parameter}) {{
               tile.chained @kernels::@chained ins({x} : {xt}) outs({y} : {yt}) totals(%total : memref<1xi32>) {length}
                 init {init} workspace(%space : memref<?xi8>) epoch(%epoch) {{{}}} {}
               return
             }}",
            [halo, options.as_str()]
                .iter()
                .filter(|options| !options.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(", "),
            self.regions()
        )
    }

    fn regions(&self) -> String {
        let Body { work, element: e, value: v, .. } = self;
        let kept = kept(e);
        match work {
            Work::Select => {
                format!("summary {{ ^bb0(%i: i64, %x: {e}): {kept} {COUNT} }} {}", counted(e, "%x: {e}", ""))
            }
            Work::SelectFlagged => {
                let kept = "%none = arith.constant 0 : i8 %k = arith.cmpi ne, %f, %none : i8";
                format!(
                    "summary {{ ^bb0(%i: i64, %x: {e}, %f: i8): {kept} {COUNT} }} {}",
                    counted(e, "%x: {e}, %f: i8", "")
                )
            }
            Work::Partition => {
                let rest = "%w = arith.extui %b : i32 to i64 %p = arith.subi %i, %w : i64 %true = arith.constant true
                  %o = arith.xori %k, %true : i1 %q = arith.trunci %p : i64 to i32";
                format!("summary {{ ^bb0(%i: i64, %x: {e}): {kept} {COUNT} }} {}", counted(e, "%x: {e}", rest))
            }
            Work::RunLengthEncode => {
                let arguments = format!("%x: {e}, %left: {e}, %right: {e}, %first: i1, %last: i1");
                segments(&arguments, e, "i32", "%v = arith.constant 1 : i32")
            }
            Work::ReduceByKey => {
                let arguments =
                    format!("%x: {e}, %v: {v}, %left: {e}, %vl: {v}, %right: {e}, %vr: {v}, %first: i1, %last: i1");
                segments(&arguments, e, v, "")
            }
        }
    }
}

/// From `%k`, whether an element is kept, to what `summary` yields.
const COUNT: &str = "%one = arith.extui %k : i1 to i32 tile.yield %one : i32";

fn zero(r#type: &str) -> &'static str {
    if r#type.starts_with('f') { "0.0" } else { "0" }
}

fn init(work: Work) -> String {
    match work {
        Work::RunLengthEncode => "[0 : i32, 0 : i32]".to_owned(),
        _ => "[0 : i32]".to_owned(),
    }
}

/// `%k`: whether `%x` is kept.
fn kept(e: &str) -> String {
    match e.starts_with('f') {
        true => format!("%zero = arith.constant 0.0 : {e} %k = arith.cmpf ogt, %x, %zero : {e}"),
        false => format!("%k = arith.trunci %x : {e} to i1"),
    }
}

/// The regions after `summary` of a body that counts what it keeps; `rest` computes `%o` and `%q` for what it does not.
fn counted(e: &str, arguments: &str, rest: &str) -> String {
    let arguments = arguments.replace("{e}", e);
    let (more, types) = match rest {
        "" => (String::new(), String::new()),
        _ => (", %o, %q, %x".to_owned(), format!(", i1, i32, {e}")),
    };
    format!(
        "combine {{ ^bb0(%l: i32, %r: i32): %s = arith.addi %l, %r : i32 tile.yield %s : i32 }}
         emit {{ ^bb0(%i: i64, %b: i32, %a: i32, {arguments}): %k = arith.cmpi ne, %b, %a : i32 {rest}
           tile.yield %k, %b, %x{more} : i1, i32, {e}{types} }}
         finish {{ ^bb0(%t: i32): tile.yield %t : i32 }}"
    )
}

/// The regions of a body on runs of equal `%x`: the payload is the number of heads and the sum of `%v` since the last one.
fn segments(arguments: &str, e: &str, v: &str, value: &str) -> String {
    let (add, differs) = (if v.starts_with('f') { "addf" } else { "addi" }, |other: &str| match e.starts_with('f') {
        true => format!("arith.cmpf une, %x, %{other} : {e}"),
        false => format!("arith.cmpi ne, %x, %{other} : {e}"),
    });
    let (differs_left, differs_right) = (differs("left"), differs("right"));
    format!(
        "summary {{ ^bb0(%i: i64, {arguments}): %d = {differs_left} %h = arith.ori %d, %first : i1
           %heads = arith.extui %h : i1 to i32 {value} tile.yield %heads, %v : i32, {v} }}
         combine {{ ^bb0(%lh: i32, %lv: {v}, %rh: i32, %rv: {v}): %h = arith.addi %lh, %rh : i32
           %both = arith.{add} %lv, %rv : {v} %zero = arith.constant 0 : i32 %new = arith.cmpi ne, %rh, %zero : i32
           %s = arith.select %new, %rv, %both : {v} tile.yield %h, %s : i32, {v} }}
         emit {{ ^bb0(%i: i64, %bh: i32, %bv: {v}, %h: i32, %s: {v}, {arguments}): %d = {differs_right}
           %k = arith.ori %d, %last : i1 %one = arith.constant 1 : i32 %p = arith.subi %h, %one : i32
           tile.yield %k, %p, %x, %k, %p, %s : i1, i32, {e}, i1, i32, {v} }}
         finish {{ ^bb0(%h: i32, %s: {v}): tile.yield %h : i32 }}"
    )
}

/// The kernel of a body in SPIR-V, or the reason that the target declines it.
pub fn spirv(body: &Body, target: &str) -> Result<Vec<u8>, String> {
    DONE.with_borrow(|(compiler, _)| compiler.spirv(&body.text(), target))
}

thread_local! {
    static DONE: RefCell<(Compiler, HashMap<Body, Rc<Module>>)> = RefCell::default();
}

/// The kernel of a body; each is compiled once.
pub fn compile(body: &Body) -> Rc<Module> {
    DONE.with_borrow_mut(|(compiler, done)| {
        let compiled = done.entry(body.clone()).or_insert_with(|| {
            let text = compiler.ptx(&body.text()).unwrap_or_else(|error| panic!("{error}\n{}", body.text()));
            Rc::new(Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")))
        });
        compiled.clone()
    })
}
