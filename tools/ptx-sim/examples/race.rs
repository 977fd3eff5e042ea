//! A missing barrier: two warps exchange numbers through shared memory, with `bar.sync` and without.
//!
//! ```text
//! cargo run --release -p ptx-sim --example race
//! ```

use ptx_sim::{Call, LaunchConfig, Module, Schedule};

const KERNEL: &str = "
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry turn(.param .u64 out) {
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        .shared .align 4 .b8 tile[256];
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        mov.u64 %rd2, tile;
        mad.wide.u32 %rd3, %r1, 4, %rd2;
        st.shared.u32 [%rd3], %r1;
        bar.sync 0;
        xor.b32 %r2, %r1, 63;
        mad.wide.u32 %rd3, %r2, 4, %rd2;
        ld.shared.u32 %r3, [%rd3];
        mad.wide.u32 %rd1, %r1, 4, %rd1;
        st.global.u32 [%rd1], %r3;
        ret;
    }";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for text in [KERNEL.to_owned(), KERNEL.replace("bar.sync 0;", "")] {
        let module = Module::parse(&text)?;
        for schedule in [Schedule::Fair, Schedule::Reversed, Schedule::Random(1)] {
            let mut call = Call::new();
            let out = call.reserve(256)?;
            call.pointer(out);
            let config = LaunchConfig { schedule, ..LaunchConfig::new(1, 64) };
            match call.launch(&module, "turn", &config) {
                Ok(_) => println!("{schedule}: the first byte is {}", call.contents(out)?[0]),
                Err(error) => println!("{schedule}: {error}"),
            }
        }
    }
    Ok(())
}
