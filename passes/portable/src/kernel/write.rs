//! The WGSL text of a kernel.

use crate::element::{FLOATS_32, FLOATS_64, NUMBERS, Scalar, words_type};
use crate::kernel::memory::{self, AccessForm, KernelAccess, KernelMemory};
use crate::kernel::{Body, Expression, Loop, PortableKernel, Statement, While};
use crate::operator::{Binary, Compare, Id};

/// The function's name in the text.
pub(super) const ENTRY: &str = "entry_kernel";

/// Statements that access no memory, at the depth of a function.
pub(crate) fn statements(body: &Body) -> String {
    let mut writer = KernelWriter { forms: Vec::new(), depth: 1, fresh: 0, body: String::new() };
    writer.statements(body);
    writer.body
}

/// The whole program.
pub(super) fn text(kernel: &PortableKernel) -> String {
    let mut writer = KernelWriter { forms: memory::forms(kernel), depth: 1, fresh: 0, body: String::new() };
    writer.statements(&kernel.body);
    let [x, y, z] = kernel.block;
    let (outside, inside) = memories(kernel, &writer.forms);
    let head = "  @builtin(local_invocation_id) thread: vec3<u32>,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
";
    let body = &writer.body;
    let floats = floats(body);
    let numbers = if uses(body, NUMBERS) || !floats.is_empty() { NUMBERS } else { "" };
    format!(
        "{numbers}{floats}{outside}@compute @workgroup_size({x}, {y}, {z})\nfn {ENTRY}(\n{head}) {{\n{inside}{body}}}\n"
    )
}

/// The functions on floats that statements call; they need [`NUMBERS`].
pub(crate) fn floats(statements: &str) -> String {
    [FLOATS_32, FLOATS_64].into_iter().filter(|functions| uses(statements, functions)).collect()
}

/// Declarations of memories: those outside the function, and the thread's private ones inside it.
fn memories(kernel: &PortableKernel, forms: &[AccessForm]) -> (String, String) {
    let (mut outside, mut inside) = (String::new(), String::new());
    let mut binding = 0;
    for (number, memory) in kernel.memories.iter().enumerate() {
        let form = forms[number];
        let r#type = if form.atomic { "atomic<u32>" } else { words_type(form.unit) };
        let count = |bytes: u32| bytes.div_ceil(4 * form.unit).max(1);
        match memory {
            KernelMemory::Argument => {
                let access = if form.written { "read_write" } else { "read" };
                outside += &format!("@group(0) @binding({binding}) var<storage, {access}> m{number}: array<{type}>;\n");
                binding += 1;
            }
            KernelMemory::Shared(bytes) => {
                outside += &format!("var<workgroup> m{number}: array<{type}, {}>;\n", count(*bytes));
            }
            KernelMemory::Private(bytes) => inside += &format!("  var m{number}: array<{type}, {}>;\n", count(*bytes)),
        }
    }
    if kernel.numbers > 0 {
        // A multiple of 32 bytes, as in tile-run.
        let vectors = kernel.numbers.next_multiple_of(8) / 4;
        outside += &format!("@group(0) @binding({binding}) var<uniform> numbers: array<vec4<u32>, {vectors}>;\n");
    }
    (outside, inside)
}

/// Whether the text `body` calls one of the functions that the text `functions` defines.
fn uses(body: &str, functions: &str) -> bool {
    let names = functions.lines().filter_map(|line| line.strip_prefix("fn ")?.split_once('('));
    names.into_iter().any(|(name, _)| body.contains(&format!("{name}(")))
}

struct KernelWriter {
    forms: Vec<AccessForm>,
    depth: usize,
    /// The counter behind the names that the writer makes up.
    fresh: usize,
    body: String,
}

impl KernelWriter {
    fn line(&mut self, text: &str) {
        self.body += &"  ".repeat(self.depth);
        self.body += text;
        self.body.push('\n');
    }

    fn fresh(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn statements(&mut self, body: &Body) {
        for statement in &body.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(id, expression) => self.line(&format!("let v{id} = {};", expression.text())),
            Statement::Load(access) => {
                let lines = memory::load(access, self.forms[access.memory], self.fresh());
                lines.iter().for_each(|line| self.line(line));
            }
            Statement::Store(access) => {
                let lines = memory::store(access, self.forms[access.memory], self.fresh());
                lines.iter().for_each(|line| self.line(line));
            }
            Statement::Update(access, body) => self.update(access, body),
            Statement::Barrier => {
                self.line("storageBarrier();");
                self.line("workgroupBarrier();");
            }
            Statement::If { condition, results, bodies: [yes, no] } => {
                for (id, scalar) in results {
                    self.line(&format!("var v{id}: {};", bits_type(*scalar)));
                }
                self.line(&format!("if (v{condition}) {{"));
                let names: Vec<String> = results.iter().map(|(id, _)| format!("v{id}")).collect();
                self.nested(yes, &names);
                if !no.statements.is_empty() || !no.yields.is_empty() {
                    self.line("} else {");
                    self.nested(no, &names);
                }
                self.line("}");
            }
            Statement::For(all) => self.r#for(all),
            Statement::While(all) => self.r#while(all),
        }
    }

    /// Writes an atomic update: as one instruction where the language has it, otherwise as a loop of compare-and-swap
    /// until no other thread has intervened.
    fn update(&mut self, access: &KernelAccess, body: &Body) {
        let updated = memory::updated(access);
        let (word, old, new) = (&updated.word, access.lanes[0], body.yields[0]);
        if let Some((name, operand)) = instruction(old, body) {
            self.line(&format!("{name}(&{word}, v{operand});"));
            return;
        }
        let fresh = self.fresh();
        let (found, swapped) = (format!("c{fresh}"), format!("s{fresh}"));
        let (value, changed) = match &updated.part {
            None => (found.clone(), format!("v{new}")),
            Some(part) => (format!("extractBits({found}, {part})"), format!("insertBits({found}, v{new}, {part})")),
        };
        self.line(&format!("var {found} = atomicLoad(&{word});"));
        self.line("loop {");
        self.depth += 1;
        self.line(&format!("let v{old} = {value};"));
        self.statements(body);
        self.line(&format!("let {swapped} = atomicCompareExchangeWeak(&{word}, {found}, {changed});"));
        self.line(&format!("if ({swapped}.exchanged) {{ break; }}"));
        self.line(&format!("{found} = {swapped}.old_value;"));
        self.depth -= 1;
        self.line("}");
    }

    /// Writes a body, and assigns the values that it yields to `names`.
    fn nested(&mut self, body: &Body, names: &[String]) {
        self.depth += 1;
        self.statements(body);
        for (name, id) in names.iter().zip(&body.yields) {
            self.line(&format!("{name} = v{id};"));
        }
        self.depth -= 1;
    }

    /// A carried value is a variable, named after the loop's result; each iteration reads it into an immutable name
    /// first.
    fn r#for(&mut self, all: &Loop) {
        let [first, end, step] = all.range;
        let counter = format!("c{}", self.fresh());
        self.line(&format!("var {counter} = v{first};"));
        for one in &all.carried {
            self.line(&format!("var v{} = v{};", one.result, one.first));
        }
        self.line("loop {");
        self.depth += 1;
        let below = if all.signed { Compare::Lt } else { Compare::ULt };
        let condition = crate::operator::compare(below, all.scalar, &counter, &format!("v{end}"));
        self.line(&format!("if (!({condition})) {{ break; }}"));
        self.line(&format!("let v{} = {counter};", all.counter));
        for one in &all.carried {
            self.line(&format!("let v{} = v{};", one.inside, one.result));
        }
        self.depth -= 1;
        let names: Vec<String> = all.carried.iter().map(|one| format!("v{}", one.result)).collect();
        self.nested(&all.body, &names);
        self.line(&format!("  {counter} = {counter} + v{step};"));
        self.line("}");
    }

    /// Each value that the first body yields, to the second one and to the code after the loop, is a variable.
    fn r#while(&mut self, all: &While) {
        let carried: Vec<String> = all.carried.iter().map(|_| format!("c{}", self.fresh())).collect();
        for (name, (_, first)) in carried.iter().zip(&all.carried) {
            self.line(&format!("var {name} = v{first};"));
        }
        for given in &all.given {
            self.line(&format!("var v{}: {};", given.result, bits_type(given.scalar)));
        }
        self.line("loop {");
        self.depth += 1;
        for (name, (inside, _)) in carried.iter().zip(&all.carried) {
            self.line(&format!("let v{inside} = {name};"));
        }
        self.depth -= 1;
        let results: Vec<String> = all.given.iter().map(|given| format!("v{}", given.result)).collect();
        self.nested(&all.before, &results);
        self.depth += 1;
        self.line(&format!("if (!v{}) {{ break; }}", all.condition));
        for given in &all.given {
            self.line(&format!("let v{} = v{};", given.inside, given.result));
        }
        self.depth -= 1;
        self.nested(&all.after, &carried);
        self.line("}");
    }
}

/// The atomic function of the language that updates a word as a body does, and its operand; `None` where there is none.
fn instruction(old: Id, body: &Body) -> Option<(&'static str, Id)> {
    let [Statement::Let(new, Expression::Binary(binary, Scalar::I32, pair))] = body.statements.as_slice() else {
        return None;
    };
    let name = match binary {
        Binary::Add => "atomicAdd",
        Binary::UMin => "atomicMin",
        Binary::UMax => "atomicMax",
        Binary::And => "atomicAnd",
        Binary::Or => "atomicOr",
        Binary::Xor => "atomicXor",
        _ => return None,
    };
    let operand = match *pair {
        [a, b] if a == old && b != old => b,
        [a, b] if b == old && a != old => a,
        _ => return None,
    };
    (body.yields == [*new]).then_some((name, operand))
}

/// The WGSL type of a scalar's bits.
fn bits_type(scalar: Scalar) -> &'static str {
    match scalar.bits() {
        1 => "bool",
        64 => "vec2<u32>",
        _ => "u32",
    }
}
