//! `--json`: what simulations find and leave, as one JSON document.

use ptx_sim::{Counts, Fault, Launch, Module, Report, Schedule, SourcePlace};
use serde_json::{Map, Number, Value, json};

use crate::job::{Job, NotRun, Verdict, stray};
use crate::say;
use crate::sim::{Left, SimError};
use crate::tensor::Tensor;

impl Job<'_> {
    /// Runs as [`Job::simulate`] does, and prints the document.
    pub(crate) fn simulate_to_json(&self) -> Result<Verdict, NotRun> {
        let module = Module::parse_kernel(&self.ptx, &self.kernel.name)?;
        let (mut runs, mut verdict) = (Vec::new(), Verdict::Good);
        self.under_each_schedule(&module, |schedule, result| {
            let run = self.run_to_json(schedule, result)?;
            verdict = run.1;
            runs.push(run.0);
            Ok(verdict == Verdict::Good)
        })?;
        let Launch { grid, block, .. } = &self.launch;
        let document = json!({
            "kernel": self.kernel.name,
            "target": module.target(),
            "grid": grid.0,
            "block": block.0,
            "good": verdict == Verdict::Good,
            "runs": runs,
        });
        say!("{document:#}");
        Ok(verdict)
    }

    fn run_to_json(
        &self,
        schedule: Schedule,
        result: Result<(Report, Left), SimError>,
    ) -> Result<(Value, Verdict), NotRun> {
        let name = schedule.to_string();
        match result {
            Ok((report, left)) => {
                self.write(&left)?;
                let verdict = if self.wrong(&left).is_none() { Verdict::Good } else { Verdict::Bad };
                let strays = left.iter().enumerate().filter_map(|(argument, tensor)| stray(argument, tensor.as_ref()?));
                let run = json!({
                    "schedule": name,
                    "finding": null,
                    "strays": strays.collect::<Vec<_>>(),
                    "comparisons": self.comparisons(&left),
                    "printed": self.printed(&left),
                    "counters": counters(&report),
                });
                Ok((run, verdict))
            }
            Err(SimError::Fault(error)) => {
                let finding = error.fault().map_or(Value::Null, finding);
                Ok((json!({ "schedule": name, "finding": finding }), Verdict::Bad))
            }
            Err(error) => Err(NotRun::Simulator(error)),
        }
    }

    fn comparisons(&self, left: &Left) -> Vec<Value> {
        let one = |expectation: &crate::expect::Expectation| {
            let difference = expectation.check(left);
            json!({
                "argument": expectation.argument(),
                "expected": expectation.what(),
                "holds": difference.is_none(),
                "differing": difference.as_ref().map_or(0, |difference| difference.differing),
                "difference": difference.map(|difference| difference.to_string()),
            })
        };
        self.expectations.iter().map(one).collect()
    }

    /// The arguments of `--print`, with all elements.
    fn printed(&self, left: &Left) -> Vec<Value> {
        let tensor = |&argument: &usize| Some((argument, left.get(argument)?.as_ref()?));
        let one = |(argument, tensor): (usize, &Tensor)| {
            json!({
                "argument": argument,
                "type": tensor.shape.element.to_string(),
                "extents": tensor.shape.extents,
                "values": (0..tensor.shape.elements()).map(|index| value(tensor, index)).collect::<Vec<_>>(),
            })
        };
        self.options.print.iter().filter_map(tensor).map(one).collect()
    }
}

/// An element: a number, a text for an infinity or NaN, null without a value.
fn value(tensor: &Tensor, index: usize) -> Value {
    if tensor.bits(index).is_none() {
        return Value::Null;
    }
    let shown = tensor.show(index);
    let integer = || shown.parse::<i64>().map(Number::from).or_else(|_| shown.parse::<u64>().map(Number::from)).ok();
    // JSON has neither NaN nor infinities.
    let float = || Number::from_f64(shown.parse().ok()?);
    integer().or_else(float).map_or_else(|| Value::String(shown.clone()), Value::Number)
}

fn finding(fault: &Fault) -> Value {
    let place = |place: &SourcePlace| json!({ "file": place.file, "line": place.line, "column": place.column });
    json!({
        "kind": fault.kind.to_string(),
        "line": fault.line,
        "opcode": fault.opcode,
        "source": fault.location.as_ref().map(place),
        "block": fault.thread.map(|thread| thread.block),
        "thread": fault.thread.map(|thread| thread.thread),
        "message": fault.to_string(),
    })
}

fn counters(report: &Report) -> Value {
    let opcodes: Map<String, Value> =
        report.by_opcode().iter().map(|(opcode, counts)| ((*opcode).to_string(), numbers(counts))).collect();
    json!({ "blocks": report.blocks, "total": numbers(&report.total), "opcodes": opcodes })
}

fn numbers(counts: &Counts) -> Value {
    json!({
        "issued": counts.warps,
        "lanes": counts.lanes,
        "global_bytes": counts.global_bytes,
        "sectors": counts.sectors,
        "shared_bytes": counts.shared_bytes,
        "wavefronts": counts.wavefronts,
        "conflicts": counts.bank_conflicts(),
        "local_bytes": counts.local_bytes,
        "tensor_bytes": counts.tensor_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Shape;

    #[test]
    fn elements_are_numbers_where_json_has_them() {
        let shape = Shape::new("f32".parse().unwrap(), vec![5]).unwrap();
        let numbers = [1.5, -0.0, f32::NAN, f32::NEG_INFINITY, 1e-30];
        let mut tensor = Tensor::new(shape, numbers.map(f32::to_le_bytes).concat());
        let all: Vec<Value> = (0..5).map(|index| value(&tensor, index)).collect();
        assert_eq!(Value::from(all), json!([1.5, -0.0, "NaN", "-inf", 1e-30]));
        tensor.missing = Some(vec![true; 5]);
        assert_eq!(value(&tensor, 0), Value::Null);
        let largest = Tensor::new(Shape::new("u64".parse().unwrap(), vec![1]).unwrap(), vec![0xff; 8]);
        assert_eq!(value(&largest, 0), json!(u64::MAX));
    }
}
