//! The schedules of the simulator.

use ptx_sim::Schedule;

/// The five schedules of `--schedule=all`.
pub const ALL: [Schedule; 5] =
    [Schedule::Fair, Schedule::Random(1), Schedule::OneBlockAtATime, Schedule::Reversed, Schedule::Starve(0)];
