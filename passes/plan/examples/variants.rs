//! Prints the table of variants, which `cargo xtask docs` keeps in docs/generated.

fn main() {
    print!("{}", tile_plan::variants::table::markdown());
}
