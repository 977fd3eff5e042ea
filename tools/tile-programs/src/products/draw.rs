//! Draws kernels.

use tile_oracle::Rng;

use super::kernel::{Kernel, STEP, Statement, TILES};

/// The most statements of a body.
const MAX_STATEMENTS: i64 = 4;

/// Kernel number `number` of a seed.
pub fn kernel(seed: u64, number: u64) -> Kernel {
    let mut rng = Rng::new(seed, number);
    let rng = &mut rng;
    let columns = *rng.one_of(&[64, 64, 128]);
    let stages = *rng.one_of(&[0, 0, 2, 3, 4]);
    let trips = rng.below(6);
    let period = STEP * (1 + rng.below(3));
    let mut body = statements(rng, true);
    if !body.iter().any(Statement::multiplies) {
        body.insert(0, product(rng));
    }
    Kernel { columns, stages, trips, period, body }
}

fn statements(rng: &mut Rng, may_branch: bool) -> Vec<Statement> {
    (0..=rng.below(MAX_STATEMENTS)).map(|_| statement(rng, may_branch)).collect()
}

fn statement(rng: &mut Rng, may_branch: bool) -> Statement {
    let tile = rng.below(TILES) as usize;
    match rng.below(10) {
        0..=3 => product(rng),
        4 => Statement::Store(tile),
        5 => Statement::Fill(tile),
        6 => Statement::Halve(tile),
        7 => Statement::Join,
        _ if may_branch => {
            let otherwise = if rng.once_in(2) { statements(rng, false) } else { Vec::new() };
            Statement::If(statements(rng, false), otherwise)
        }
        _ => Statement::Store(tile),
    }
}

fn product(rng: &mut Rng) -> Statement {
    Statement::Product { tile: rng.below(TILES) as usize, in_flight: rng.once_in(2) }
}
