//! A program that evaluates a layout and compiles a file.

use std::error::Error;

use tile_layout::{Axis, Layout};

fn main() -> Result<(), Box<dyn Error>> {
    let rows = Layout::parse("(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>")?;
    eprintln!("element (1, 0) is at {}", rows.apply(&[1, 0], &[32, 64])?[&Axis::Memory]);
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("got no file, expected one")?;
    let chip = arguments.next().unwrap_or_else(|| "sm_90a".to_owned());
    let text = std::fs::read_to_string(&file)?;
    let ptx = tile::compile(&text, &tile::Options::new().chip(chip.clone()).name(file.clone()))?;
    print!("{ptx}");
    let compiled = tile::compile_with(&text, &tile::Options::new().chip(chip).name(file))?;
    for kernel in &compiled.kernels {
        let types: Vec<&str> = kernel.arguments.iter().map(|argument| argument.declared.as_str()).collect();
        eprintln!("{} takes {}, by blocks of {:?} threads", kernel.name, types.join(", "), kernel.threads);
    }
    let taken = compiled.remarks.iter().filter(|remark| remark.passed);
    taken.for_each(|remark| eprintln!("{}: {}, {:?}", remark.function, remark.name, remark.args.first()));
    Ok(())
}
