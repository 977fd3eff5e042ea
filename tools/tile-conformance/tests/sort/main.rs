//! `tile.sort`, executed: results are compared with a stable sort on the host, under every schedule and all checkers.

mod program;
mod run;

mod keys;
mod lengths;
mod progress;
