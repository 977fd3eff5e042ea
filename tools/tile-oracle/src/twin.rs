//! The same program without one barrier or wait that it needs, which the simulator must notice.

use crate::ast::{Copy, Effect, Expr, Program, Region, Scope, Stmt, copies};
use crate::machine::{CompiledCopies, FLIGHT, Flaw, Machine, RACE};
use crate::rng::Rng;

/// The missing synchronization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A barrier between a write and a read by certainly different threads, of a value that reaches the final result.
    Barrier,
    /// A wait for a copy whose elements reach the final result.
    Wait,
}

/// A program that is certainly wrong: without one of its barriers, or one of its waits.
pub fn twin(program: &Program, rng: &mut Rng, missing: Missing, compiled: &CompiledCopies) -> Option<Program> {
    let mut places = places(&program.body, missing);
    rng.shuffle(&mut places);
    let taint = if missing == Missing::Barrier { RACE } else { FLIGHT };
    places.into_iter().find_map(|place| {
        let mut without = program.clone();
        remove(&mut without.body, &place);
        let machine = Machine::run_tolerant(&without, compiled).ok()?;
        (machine.taint() & taint != 0).then_some(without)
    })
}

/// The program without some of its barriers, which it may need or not. One at the start, which orders nothing, is added.
pub fn with_fewer_barriers(program: &Program, rng: &mut Rng) -> Program {
    let mut fewer = program.clone();
    for place in places(&program.body, Missing::Barrier).iter().rev().filter(|_| !rng.once_in(3)) {
        remove(&mut fewer.body, place);
    }
    fewer.body.insert(0, Stmt::Barrier);
    fewer
}

/// A program in which threads of one scope have different region starts; it must be refused.
pub fn skewed(program: &Program, rng: &mut Rng) -> Option<Program> {
    let all = copies(&program.body).len() as i64;
    (0..4).find_map(|_| {
        let mut skewed = program.clone();
        let wanted = rng.below(all) as usize;
        let side = rng.below(2);
        each_copy(&mut skewed.body, &mut |copy| {
            let has_source = !matches!(copy.effect, Effect::Filled(_));
            if copy.id == wanted && copy.scope != Scope::Thread && (side == 1 || has_source) {
                skew(program, if side == 0 { &mut copy.src } else { &mut copy.dst }, rng);
            }
        });
        (Machine::run_tolerant(&skewed, &CompiledCopies::default()).err() == Some(Flaw::NotUniform)).then_some(skewed)
    })
}

/// Makes a region start at the lane's number, if there is room for it.
fn skew(program: &Program, region: &mut Region, rng: &mut Rng) {
    let shape = &program.buffers[region.buffer].shape;
    let roomy: Vec<usize> = (0..region.begin.len()).filter(|&at| region.extent[at] < shape[at]).collect();
    if !roomy.is_empty() {
        let at = *rng.one_of(&roomy);
        region.begin[at] = Expr::Lane.modulo(shape[at] - region.extent[at] + 1);
    }
}

fn each_copy(body: &mut [Stmt], with: &mut dyn FnMut(&mut Copy)) {
    for stmt in body {
        match stmt {
            Stmt::Copy(copy) => with(copy),
            Stmt::If(_, then, otherwise) => {
                each_copy(then, with);
                each_copy(otherwise, with);
            }
            Stmt::For { body, .. } => each_copy(body, with),
            _ => {}
        }
    }
}

/// Paths to the barriers or waits in nested statements: the number of a statement, then of a statement in it.
fn places(body: &[Stmt], missing: Missing) -> Vec<Vec<usize>> {
    let mut paths = Vec::new();
    for (at, stmt) in body.iter().enumerate() {
        let inner = match stmt {
            Stmt::Barrier if missing == Missing::Barrier => vec![Vec::new()],
            Stmt::Wait(_) if missing == Missing::Wait => vec![Vec::new()],
            Stmt::If(_, body, _) | Stmt::For { body, .. } => places(body, missing),
            _ => Vec::new(),
        };
        paths.extend(inner.into_iter().map(|place| [vec![at], place].concat()));
    }
    paths
}

fn remove(body: &mut Vec<Stmt>, place: &[usize]) {
    match place {
        [] => {}
        [at] => drop(body.remove(*at)),
        [at, rest @ ..] => {
            if let Stmt::If(_, body, _) | Stmt::For { body, .. } = &mut body[*at] {
                remove(body, rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw;

    #[test]
    fn many_programs_have_a_twin() {
        let count_of = |missing, compiled: &CompiledCopies| {
            let has =
                |number: &u64| twin(&draw::program(5, *number), &mut Rng::new(1, *number), missing, compiled).is_some();
            (0..60).filter(has).count()
        };
        let count = |missing| count_of(missing, &CompiledCopies::default());
        assert!(count(Missing::Barrier) > 5, "{} of 60 have a barrier too few", count(Missing::Barrier));
        let has = |number: &u64| skewed(&draw::program(5, *number), &mut Rng::new(1, *number)).is_some();
        assert!((0..60).filter(has).count() > 5, "threads that begin elsewhere");
        assert!(count(Missing::Wait) > 5, "{} of 60 have a wait too few", count(Missing::Wait));
        let barriers = CompiledCopies { with_barriers: (0..100).collect(), ..CompiledCopies::default() };
        assert_eq!(count_of(Missing::Barrier, &barriers), 0, "each copy has barriers of its own");
    }
}
