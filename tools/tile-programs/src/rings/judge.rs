//! The verdict on a ring: what the check says, against its execution under all schedules.

use melior::Context;
use ptx_sim::{Call, LaunchConfig};
use tile_oracle::Rng;

use super::draw;
use super::kernel::{ENTRY, Ring, SHAPE, TILES};
use crate::judging::{CHECK, Ready, RunFailure, alike, compiled, finding, passed, understood};
use crate::schedules;
use crate::tally::{Outcome, Verdict, reason};
use crate::writing::Element;

/// Tables of the report.
const ALARMS: &str = "refused by the check, but running clean under all schedules";
const REFUSED: &str = "refused by the check, and faulty when it runs";
const ACCEPTED: &str = "accepted, and running clean under all schedules";

/// Judges a ring.
pub fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
    let ring = draw::ring(seed, number);
    let ran = executed(context, &ring, seed);
    let mistake = ring.mistake.map(|mistake| mistake.name());
    let (outcome, table) = match (passed(context, &ring.text(), CHECK), ran) {
        (Err(tile_passes::Error::Malformed { .. }), _) => (finding("not valid", ring.text()), None),
        (Ok(_), Err(wrong)) => (wrong.finding("accepted"), None),
        (Ok(_), Ok(())) => (Outcome::Right, Some(ACCEPTED)),
        (Err(error), ran) => match mistake {
            None => (finding("refused without a mistake", error), None),
            Some(_) => (Outcome::Refused(vec![reason(&error)]), Some(if ran.is_ok() { ALARMS } else { REFUSED })),
        },
    };
    let row = mistake.unwrap_or("no mistake").to_owned();
    Verdict { number, outcome, counted: table.map(|table| (table.to_owned(), row)).into_iter().collect() }
}

/// Runs a ring with each trip count under all schedules, which have to leave the same memory.
fn executed(context: &Context, ring: &Ring, seed: u64) -> Result<(), RunFailure> {
    let ptx = compiled(context, &ring.text()).map_err(|error| RunFailure::new("not compiled", error))?;
    let module = understood(&ptx.text)?;
    let elements = TILES * SHAPE[0] * SHAPE[1];
    let mut rng = Rng::new(seed, 0);
    let source: Vec<u8> = (0..elements).flat_map(|_| Element::F32.bytes(rng.below(200) as u8)).collect();
    let periods = ring.all_periods();
    let mut all = ring.all_trips().into_iter().flat_map(|trips| periods.iter().map(move |&period| (trips, period)));
    all.try_for_each(|(trips, period)| {
        alike(schedules::ALL, true, |schedule| {
            let mut call = Call::new();
            call.buffer(&source)?;
            let results = call.buffer(&vec![0; source.len()])?;
            call.indices([trips, period]);
            let config = LaunchConfig { schedule, ..LaunchConfig::new(1, ring.threads() as u32) };
            Ready { call, compared: vec![results], config }.run(&module, ENTRY)
        })
    })
}
