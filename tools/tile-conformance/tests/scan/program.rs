//! A scan as a module, and its kernels as PTX.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ptx_sim::Module;
use tile_conformance::lower::Compiler;

/// A scan to be compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// Element type.
    pub element: String,
    /// `add`, …; a custom operator has its region after it.
    pub kind: String,
    /// The region of a custom operator, with `combine`.
    pub combine: String,
    /// Whether the scan is exclusive.
    pub exclusive: bool,
    /// Whether it takes an initial value.
    pub init: bool,
    /// `identity(…)`, or nothing.
    pub identity: String,
    /// The other attributes.
    pub options: String,
    /// The chip.
    pub chip: &'static str,
    /// Offset of both arrays from an aligned address, in elements.
    pub offset: i64,
}

impl Program {
    /// An inclusive scan for sm_90a.
    pub fn new(element: &str, kind: &str, options: &str) -> Self {
        Program {
            element: element.to_owned(),
            kind: kind.to_owned(),
            combine: String::new(),
            exclusive: false,
            init: false,
            identity: String::new(),
            options: options.to_owned(),
            chip: "sm_90a",
            offset: 0,
        }
    }

    /// The module.
    pub fn text(&self) -> String {
        let Program { element, kind, combine, identity, options, chip, offset, .. } = self;
        let mode = if self.exclusive { "exclusive" } else { "inclusive" };
        let (parameter, init) = match self.init {
            true => (format!(", %i: {element}"), format!("init(%i : {element})")),
            false => Default::default(),
        };
        let array = match offset {
            0 => format!("memref<?x{element}>"),
            _ => format!("memref<?x{element}, strided<[1], offset: {offset}>>"),
        };
        format!(
            "gpu.module @kernels [#nvvm.target<chip = \"{chip}\">] {{}}
             func.func @host(%x: {array}, %y: {array}, %w: memref<?xi8>, %e: i32{parameter}) {{
               tile.scan @kernels::@scan {mode} {kind} %x to %y workspace(%w) epoch(%e) {init} {identity} {{{options}}}
                 : {array} to {array}, memref<?xi8> {combine}
               return
             }}"
        )
    }
}

/// A program's kernels.
pub struct Compiled {
    /// The PTX.
    pub text: String,
    /// The parsed module.
    pub module: Module,
}

/// A compiler, and the programs that it has compiled.
#[derive(Default)]
struct Workshop {
    compiler: Compiler,
    done: HashMap<Program, Rc<Compiled>>,
}

thread_local! {
    static WORKSHOP: RefCell<Workshop> = RefCell::default();
}

/// The kernels of a program; each is compiled once.
pub fn compile(program: &Program) -> Rc<Compiled> {
    WORKSHOP.with_borrow_mut(|Workshop { compiler, done }| {
        let compiled = done.entry(program.clone()).or_insert_with(|| {
            let text = compiler.ptx(&program.text()).unwrap_or_else(|error| panic!("{error}\n{}", program.text()));
            let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            Rc::new(Compiled { text, module })
        });
        compiled.clone()
    })
}
