//! A sort as a module, its plan, and its kernels.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ptx_sim::Module;
use tile_conformance::lower::Compiler;
use tile_plan::sort::{KeyKind, SortPlan, SortProblem, select};
use tile_plan::target::Target;

/// A sort to be compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// The type of a key.
    pub key: &'static str,
    /// Whether integers are unsigned.
    pub is_unsigned: bool,
    /// Whether the largest key comes first.
    pub is_descending: bool,
    /// The type of a value, if there are values.
    pub value: Option<&'static str>,
    /// Elements of a tile per thread.
    pub items: i64,
    /// The other attributes.
    pub options: String,
    /// The chip.
    pub chip: &'static str,
    /// Offset of the arrays from an aligned address, in elements.
    pub offset: usize,
}

impl Program {
    /// An ascending sort of keys without values, for sm_80.
    pub fn new(key: &'static str, items: i64) -> Self {
        let (is_unsigned, is_descending, value) = (false, false, None);
        Program { key, is_unsigned, is_descending, value, items, options: String::new(), chip: "sm_80", offset: 0 }
    }

    /// The same with these attributes.
    pub fn with(self, options: &str) -> Self {
        Program { options: format!(", {options}"), ..self }
    }

    /// Bytes of a key, and of a value.
    pub fn bytes(&self) -> (usize, Option<usize>) {
        let bytes = |name: &str| name.trim_start_matches(char::is_alphabetic).parse::<usize>().expect("a width") / 8;
        (bytes(self.key), self.value.map(bytes))
    }

    /// The plan, whose shared memory and workspace launches need.
    pub fn plan(&self) -> SortPlan {
        let (key, value) = self.bytes();
        let mut problem = SortProblem::new((KeyKind::Signed, key as i64), value.map(|bytes| bytes as i64));
        problem.requests.items = Some(self.items);
        select(&problem, &Target::parse(self.chip).expect("a chip")).expect("a plan").0
    }

    fn text(&self) -> String {
        let array = |name: &str| match self.offset {
            0 => format!("memref<?x{name}>"),
            offset => format!("memref<?x{name}, strided<[1], offset: {offset}>>"),
        };
        let types: Vec<_> = std::iter::once(self.key).chain(self.value).map(array).collect();
        let list = |prefix: &str| (0..types.len()).map(|at| format!("%{prefix}{at}")).collect::<Vec<_>>();
        let (x, y) = (list("x"), list("y"));
        let parameters = x.iter().zip(&types).chain(y.iter().zip(&types));
        let parameters: Vec<_> = parameters.map(|(name, array)| format!("{name}: {array}")).collect();
        let signs = if self.is_unsigned { ", unsigned_keys" } else { "" };
        let order = if self.is_descending { ", descending" } else { "" };
        let types = types.join(", ");
        format!(
            "gpu.module @kernels [#nvvm.target<chip = \"{}\">] {{}}
             func.func @host({}, %w: memref<?xi8>, %e: i32) {{
               tile.sort @kernels::@sort ins({} : {types}) outs({} : {types}) workspace(%w : memref<?xi8>) epoch(%e)
                 {{items = {} : i64{signs}{order}{}}}
               return
             }}",
            self.chip,
            parameters.join(", "),
            x.join(", "),
            y.join(", "),
            self.items,
            self.options
        )
    }
}

/// A compiler, and the programs that it has compiled.
type Workshop = (Compiler, HashMap<Program, Rc<Module>>);

thread_local! {
    static WORKSHOP: RefCell<Workshop> = RefCell::default();
}

/// The kernels of a program; each is compiled once.
pub fn compile(program: &Program) -> Rc<Module> {
    WORKSHOP.with_borrow_mut(|(compiler, done)| {
        let compiled = done.entry(program.clone()).or_insert_with(|| {
            let text = compiler.ptx(&program.text()).unwrap_or_else(|error| panic!("{error}\n{}", program.text()));
            Rc::new(Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")))
        });
        compiled.clone()
    })
}
