//! A plan against what was recorded.

use std::fmt;

use tile_plan::families::tensor_map::{MapForm, Part, TensorMapCopy, plan};

use crate::case::{Case, Question};
use crate::check::check;
use crate::engine::{Values, coordinates, encodable, numbers};
use crate::recorded::{RecordedMap, Vars};

/// How a case ended. Every plan also moves the right elements, by the model of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The same map, boxes, coordinates and offsets.
    Alike,
    /// Fewer instructions.
    Fewer,
    /// As many instructions through another map.
    OtherMap,
    /// The recorded one is wrong or illegal; this one is right.
    Righted,
    /// The recorded one is wrong or illegal; refused here.
    WrongRefused,
    /// Refused there, planned here.
    Planned,
    /// Refused there and here.
    BothRefused,
    /// A form of instruction that is not planned here.
    OtherForm,
    /// Wrong, or refused although the recorded one is right.
    Failed,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Alike => "the same map and boxes",
            Verdict::Fewer => "fewer instructions",
            Verdict::OtherMap => "as many instructions, another map",
            Verdict::Righted => "wrong or illegal there, right here",
            Verdict::WrongRefused => "wrong or illegal there, refused here",
            Verdict::Planned => "refused there, planned here",
            Verdict::BothRefused => "refused there and here",
            Verdict::OtherForm => "a form that is not planned here",
            Verdict::Failed => "failed",
        })
    }
}

/// The verdict on one case, and why.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The case.
    pub id: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What differs, or why it was refused.
    pub why: String,
}

/// Plans a case and compares the plan with the recorded one.
pub fn judge(case: &Case) -> Judged {
    let (verdict, why) = verdict(case);
    Judged { id: case.id.clone(), verdict, why }
}

fn verdict(case: &Case) -> (Verdict, String) {
    if let Some(form) = case.other_form() {
        return (Verdict::OtherForm, form);
    }
    let asked = case.question();
    let planned = asked.as_ref().map_err(Clone::clone).and_then(|asked| {
        let copy = plan(&asked.problem, asked.request, &asked.target)
            .map_err(|refusal| format!("{}: {refusal}", refusal.cause))?;
        Ok((asked, copy))
    });
    let recorded = &case.expect;
    let right = recorded.verdict.as_deref() == Some("ok");
    match planned {
        Err(why) if recorded.rejected => (Verdict::BothRefused, why),
        Err(why) if right || recorded.verdict.is_none() => (Verdict::Failed, why),
        Err(why) => (Verdict::WrongRefused, why),
        Ok((asked, copy)) => {
            // What the encoder refuses on the host, no kernel sees.
            let encoded = |vars: &Vars| encodable(&copy, &case.run_time(vars)).is_ok();
            let values: Vec<Vars> = case.values().into_iter().filter(encoded).collect();
            let failed = values.iter().find_map(|vars| {
                let why = check(&asked.problem, &copy, &case.run_time(vars)).err()?;
                Some(format!("{why}, with {vars:?}"))
            });
            if let Some(why) =
                failed.or_else(|| values.is_empty().then(|| "no values that the encoder takes".to_owned()))
            {
                return (Verdict::Failed, why);
            }
            match right {
                true => compare(case, asked, &copy),
                false if recorded.rejected => {
                    (Verdict::Planned, format!("{}; {}", recorded.reason_class, shown(&copy)))
                }
                false => (Verdict::Righted, format!("{}; {}", recorded.flags.join(" "), shown(&copy))),
            }
        }
    }
}

/// The map and the number of instructions.
fn shown(copy: &TensorMapCopy) -> String {
    let boxes = |part: &Part| part.map.dims.iter().map(|dim| dim.boxed.to_string()).collect::<Vec<_>>().join("x");
    let parts: Vec<String> = copy.parts.iter().map(|part| format!("{} of {}", part.boxes(), boxes(part))).collect();
    parts.join(", ")
}

fn compare(case: &Case, asked: &Question, copy: &TensorMapCopy) -> (Verdict, String) {
    let (here, there) = (copy.instructions(), case.expect.instructions);
    if here < there {
        return (Verdict::Fewer, format!("{here} instead of {there}"));
    }
    if here > there {
        return (Verdict::Failed, format!("{here} instructions, recorded are {there}"));
    }
    let differs = case.values().iter().find_map(|vars| differs(case, asked, copy, vars));
    match differs {
        None => (Verdict::Alike, String::new()),
        Some(what) => (Verdict::OtherMap, what),
    }
}

/// What is another in the plan than what was recorded.
fn differs(case: &Case, asked: &Question, copy: &TensorMapCopy, vars: &Vars) -> Option<String> {
    let Some(recorded) = &case.expect.tensormap else { return Some("no map".to_owned()) };
    let [part] = &copy.parts[..] else { return Some(format!("{} maps", copy.parts.len())) };
    let values = case.run_time(vars);
    let bytes = i64::from(asked.problem.element.bits / 8);
    let [global, shared] = case.sides();
    let base = part.map.base + global.elem_offset() * bytes;
    if let Some(what) = recorded.differs(part, &values, base, vars, copy.form) {
        return Some(what);
    }
    let lists = [&values.global[..], &values.shared[..]];
    let mut here = Vec::new();
    for number in 0..part.boxes() {
        let issue = part.issue(&mut tile_layout::Eval, number, &copy.shared, lists).ok()?;
        let coordinates = coordinates(copy, &issue.coordinates, &values).ok()?;
        here.push((coordinates, issue.offset + shared.elem_offset()));
    }
    let mut there = case.expect.boxes(vars)?;
    here.sort();
    there.sort();
    (here != there).then(|| format!("boxes {here:?}, recorded are {there:?}"))
}

impl RecordedMap {
    fn differs(&self, part: &Part, values: &Values, base: i64, vars: &Vars, form: MapForm) -> Option<String> {
        let map = &part.map;
        let list = |values: &[serde_json::Value]| {
            values.iter().map(|value| crate::recorded::evaluate(value, vars)).collect::<Option<Vec<_>>>()
        };
        let (extents, strides) = numbers(map, values);
        let boxed: Vec<i64> = map.dims.iter().map(|dim| dim.boxed).collect();
        let strides = strides.get(1..).unwrap_or_default();
        let element = matches!(form, MapForm::Reduce(_)) || map.element.name() == self.element;
        if boxed != self.box_dim
            || list(&self.global_dim)? != extents
            || list(&self.global_strides)? != strides
            || !element
        {
            let name = map.element.name();
            return Some(format!(
                "{name} {extents:?}, strides {strides:?}, box {boxed:?}; recorded {} {:?}, {:?}, {:?}",
                self.element,
                list(&self.global_dim)?,
                list(&self.global_strides)?,
                self.box_dim
            ));
        }
        let fill = u32::from(map.fill == tile_plan::problem::tensor_map::OutOfBounds::Nan);
        let got = (map.swizzle.bits(), map.promotion as u32, fill, Some(base));
        let recorded = (self.swizzle, self.l2promotion, self.oob_fill, crate::recorded::evaluate(&self.base, vars));
        (got != recorded).then(|| format!("swizzle, promotion, fill, base {got:?}, recorded {recorded:?}"))
    }
}

impl Case {
    /// The run-time values for which the case is checked.
    pub fn run_times(&self) -> Vec<Values> {
        self.values().iter().map(|vars| self.run_time(vars)).collect()
    }

    /// The run-time values of the plan.
    pub(crate) fn run_time(&self, vars: &Vars) -> Values {
        let [global, shared] = self.sides();
        Values {
            global: global.values(vars),
            shared: shared.values(vars),
            extents: global.extents(vars),
            strides: global.strides(vars),
            rows: self.rows(),
        }
    }
}
