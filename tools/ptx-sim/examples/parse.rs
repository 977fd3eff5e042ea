//! x
fn main(){ for f in std::env::args().skip(1) { let s=std::fs::read_to_string(&f).unwrap(); match ptx_sim::try_it(&s) { Ok(n)=>println!("{f}: ok {n}"), Err(e)=>println!("{f}:{e}") } } }
