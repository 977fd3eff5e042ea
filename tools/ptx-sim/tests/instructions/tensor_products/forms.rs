//! `tcgen05.mma` of pairs of blocks, and with `.ws`, in every shape.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

use super::super::kernel;
use super::super::operands::{a, b, encode};
use super::super::tensor::{ALLOC, FREE};
use super::{A_COLUMN, WAIT, WIDE, descriptor, start};
use crate::support::launch_text;

/// Bytes of A's part of shared memory; B comes after it.
const LEFT: usize = 16384;
const SHARED: usize = 3 * LEFT;

const MEET: &str = "barrier.cluster.arrive; barrier.cluster.wait;";

#[derive(Clone, Copy)]
struct Case {
    /// Two blocks of one product; otherwise one block, with `.ws`.
    pair: bool,
    ty: &'static str,
    out: &'static str,
    rows: usize,
    columns: usize,
    /// Whether A is in tensor memory.
    tensor: bool,
    /// The rank of the block that issues the product.
    issuer: usize,
}

impl Case {
    fn blocks(&self) -> usize {
        if self.pair { 2 } else { 1 }
    }

    fn bytes(&self) -> usize {
        super::Type::of(self.ty).bits as usize / 8
    }

    fn depth(&self) -> usize {
        32 / self.bytes()
    }

    /// Parts of D's columns that a block has in different lanes, by the figures of the ISA.
    fn parts(&self) -> usize {
        match (self.pair, self.rows) {
            (true, 256) | (false, 128) => 1,
            (true, 128) | (false, 64) => 2,
            (false, 32) => 4,
            other => panic!("{other:?}"),
        }
    }

    /// Columns of tensor memory that D takes.
    fn width(&self) -> usize {
        self.columns / self.parts()
    }

    /// The row and column of D that a cell of tensor memory holds.
    fn element(&self, block: usize, lane: usize, column: usize) -> (usize, usize) {
        let below = 128 / self.parts();
        (block * below + lane % below, lane / below * self.width() + column)
    }

    /// For each block: its shared memory, then for each lane its columns of D and eight of A.
    fn input(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for block in 0..self.blocks() {
            let mut image = vec![0; SHARED];
            let mut put = |at: usize, value: i32| {
                image[at..at + self.bytes()].copy_from_slice(&encode(self.ty, value).to_le_bytes()[..self.bytes()]);
            };
            let (rows, columns) = (self.rows / self.blocks(), self.columns / self.blocks());
            for k in 0..self.depth() {
                (0..rows).for_each(|row| put(WIDE.at(row, k, self.bytes()), a(block * rows + row, k)));
                (0..columns).for_each(|n| put(LEFT + WIDE.at(n, k, self.bytes()), b(k, block * columns + n)));
            }
            for lane in 0..128 {
                for column in 0..self.width() {
                    let (row, column) = self.element(block, lane, column);
                    image.extend(encode(self.out, start(row, column)).to_le_bytes());
                }
                let (row, packed) = (self.element(block, lane, 0).0, 4 / self.bytes());
                for k in (0..self.depth()).step_by(packed) {
                    let part = |i: usize| encode(self.ty, a(row, k + i)) << (8 * self.bytes() * i);
                    image.extend((0..packed).fold(0, |word, i| word | part(i)).to_le_bytes());
                }
            }
            all.extend(image);
        }
        all
    }

    fn instruction(&self) -> u32 {
        let ty = |name: &str| match name {
            "f16" | "e4m3" => 0,
            "bf16" | "s8" | "f32" => 1,
            "tf32" | "s32" => 2,
            other => panic!("{other}"),
        };
        let [d, input] = [self.out, self.ty].map(ty);
        d << 4 | input << 7 | input << 10 | (self.columns as u32 >> 3) << 17 | (self.rows as u32 >> 4) << 24
    }

    fn multiply(&self) -> String {
        let kind = match self.ty {
            "f16" | "bf16" => "f16",
            "e4m3" => "f8f6f4",
            "s8" => "i8",
            other => other,
        };
        let form = if self.pair { "mma.cta_group::2" } else { "mma.ws.cta_group::1" };
        let left = if self.tensor { "[%r43]" } else { "%rd10" };
        format!("@%p5 tcgen05.{form}.kind::{kind} [%r40], {left}, %rd11, {}, 1;\n", self.instruction())
    }

    fn body(&self) -> String {
        let (width, words) = (self.width(), self.width() + 8);
        let mut body = format!(
            ".reg .b32 t<2>; ld.param.b64 %rd0, [p0]; ld.param.b64 %rd1, [p1]; mov.u32 %r7, %cluster_ctarank;\n{ALLOC}\
             mul.wide.u32 %rd2, %r7, {}; add.s64 %rd1, %rd1, %rd2; mul.wide.u32 %rd2, %r7, {}; add.s64 %rd0, %rd0, %rd2;\n\
             mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, data; add.s64 %rd4, %rd4, %rd2; mov.u32 %r20, 0;\n\
             FILL: ld.global.b32 %r21, [%rd3]; st.shared.b32 [%rd4], %r21; add.s64 %rd3, %rd3, 512; add.s64 %rd4, %rd4, 512;\n\
             add.u32 %r20, %r20, 512; setp.lt.u32 %p2, %r20, {SHARED}; @%p2 bra FILL;\n\
             mul.wide.u32 %rd2, %r1, {}; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, data; shr.u64 %rd4, %rd4, 4;\n",
            SHARED + 512 * words,
            512 * width,
            4 * words
        );
        for n in 0..words {
            let column = if n < width { n } else { A_COLUMN + n - width };
            body += &format!(
                "ld.global.b32 t0, [%rd3+{}]; add.u32 %r5, %r41, {column}; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {{t0}};\n",
                SHARED + 4 * n
            );
        }
        let commit = if self.pair {
            "mov.b16 %h1, 3; @%p5 tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %h1;"
        } else {
            "@%p5 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];"
        };
        body += &format!(
            "add.s64 %rd10, %rd4, {}; add.s64 %rd11, %rd4, {}; add.u32 %r43, %r40, {A_COLUMN};\n\
             setp.eq.u32 %p3, %r1, 0; setp.eq.and.u32 %p5, %r7, {}, %p3;\n\
             @%p3 mbarrier.init.shared.b64 [bar], 1; @%p3 fence.mbarrier_init.release.cluster; tcgen05.wait::st.sync.aligned;\n\
             fence.proxy.async.shared::cta; tcgen05.fence::before_thread_sync;\n{MEET}\ntcgen05.fence::after_thread_sync;\n\
             {}{commit}\n{WAIT}\ntcgen05.fence::after_thread_sync;\nmul.wide.u32 %rd2, %r1, {}; add.s64 %rd3, %rd0, %rd2;\n",
            descriptor(WIDE, 0),
            descriptor(WIDE, LEFT),
            self.issuer,
            self.multiply(),
            4 * width
        );
        let mask = if self.out == "f16" { "0xffff" } else { "0xffffffff" };
        for n in 0..width {
            body += &format!(
                "add.u32 %r5, %r41, {n}; tcgen05.ld.sync.aligned.32x32b.x1.b32 {{t1}}, [%r5]; tcgen05.wait::ld.sync.aligned;\n\
                 and.b32 t1, t1, {mask}; st.global.b32 [%rd3+{}], t1;\n",
                4 * n
            );
        }
        body += MEET;
        body += FREE;
        if self.pair { body.replace("cta_group::1", "cta_group::2") } else { body }
    }

    fn run(&self, body: &str) -> Result<Vec<u32>, LaunchError> {
        let variables = format!(
            ".shared .align 4 .b8 base[4]; .shared .align 8 .b8 bar[8]; .shared .align 1024 .b8 data[{SHARED}];"
        );
        let (text, bytes) = (kernel("sm_100a", 2, &variables, body), 512 * self.width() * self.blocks());
        let mut memory = Memory::new();
        let out = memory.alloc_with(&vec![0; bytes]).unwrap();
        let input = memory.alloc_with(&self.input()).unwrap();
        let blocks = self.blocks() as u32;
        let config = LaunchConfig { cluster: Some([blocks, 1, 1]), ..LaunchConfig::new(blocks, 128) };
        launch_text(&mut memory, &text, "k", &config, &[Arg::Ptr(out), Arg::Ptr(input)])?;
        let bytes = memory.read(out, bytes).unwrap();
        Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
    }

    fn check(&self) {
        let out = self.run(&self.body()).unwrap_or_else(|e| panic!("{}: {e}", self.multiply()));
        for (i, &got) in out.iter().enumerate() {
            let (block, lane) = (i / self.width() / 128, i / self.width() % 128);
            let (row, column) = self.element(block, lane, i % self.width());
            let sum: i32 = (0..self.depth()).map(|k| a(row, k) * b(k, column)).sum();
            let want = encode(self.out, sum + start(row, column));
            assert_eq!(got, want, "{}: ({row}, {column})", self.multiply());
        }
    }
}

const PAIR: Case = Case { pair: true, ty: "f16", out: "f32", rows: 256, columns: 32, tensor: false, issuer: 0 };

#[test]
fn pairs_of_blocks() {
    for (ty, out, rows, columns, tensor, issuer) in [
        ("f16", "f32", 256, 32, false, 0),
        ("bf16", "f32", 128, 64, false, 1),
        ("tf32", "f32", 256, 64, true, 1),
        ("f16", "f16", 256, 256, false, 0),
        ("e4m3", "f32", 128, 256, false, 0),
        ("s8", "s32", 256, 32, true, 0),
    ] {
        Case { pair: true, ty, out, rows, columns, tensor, issuer }.check();
    }
}

#[test]
fn products_that_keep_b() {
    for (ty, out, rows, columns, tensor) in [
        ("f16", "f32", 32, 64, false),
        ("bf16", "f32", 64, 128, false),
        ("tf32", "f32", 128, 64, true),
        ("f16", "f16", 32, 256, false),
        ("e4m3", "f32", 64, 64, false),
        ("s8", "s32", 128, 128, false),
    ] {
        Case { pair: false, ty, out, rows, columns, tensor, issuer: 0 }.check();
    }
}

#[test]
fn what_pairs_need() {
    let expect = |case: &Case, old: &str, new: &str, kinds: &[FaultKind], part: &str| {
        let body = case.body();
        assert!(body.contains(old), "{body}");
        let error = case.run(&body.replacen(old, new, 1)).err().unwrap_or_else(|| panic!("{new} for {old}"));
        let fault = error.fault().unwrap_or_else(|| panic!("{error}"));
        assert!(kinds.contains(&fault.kind) && fault.detail.contains(part), "{error}");
    };
    let meet = format!("{MEET}\ntcgen05.fence::after");
    let alone = "bar.sync 0;\ntcgen05.fence::after";
    expect(&PAIR, &meet, alone, &[FaultKind::Lifetime], "a barrier of the cluster is missing");
    expect(&PAIR, "fence.proxy.async.shared::cta;", "", &[FaultKind::Race], "fence.proxy.async");
    // The peer's threads wait for the product, too.
    let all = ".shared::cluster.multicast::cluster.b64 [bar], %h1;";
    expect(&PAIR, all, ".shared::cluster.b64 [bar];", &[FaultKind::Livelock], "");
    let store = format!("setp.ne.u32 %p6, %r7, 0; @%p6 st.shared.b32 [data], %r1; {WAIT}");
    expect(&PAIR, WAIT, &store, &[FaultKind::InFlight, FaultKind::Race], "");
    let spread = Case { rows: 128, tensor: true, columns: 64, ..PAIR };
    expect(&spread, "", "", &[FaultKind::Invalid], "A of 128 rows in tensor memory, in several parts of its lanes");
    let kept = Case { pair: false, rows: 64, tensor: true, columns: 64, ..PAIR };
    expect(&kept, "", "", &[FaultKind::Invalid], "A of 64 rows in tensor memory, in several parts of its lanes");
    let mask = "{0, 0, 0, 0, 0, 0, 0, %r7}, 1;";
    let masked = Case { issuer: 1, ..PAIR };
    expect(&masked, " 1;\nmov.b16", &format!(" {mask}\nmov.b16"), &[FaultKind::Invalid], "a mask of lanes");
    // A product of another shape is not ordered after the first, although D has the same cells.
    let tall = Case { rows: 128, columns: 64, ..PAIR };
    let two = format!("{}{}", PAIR.multiply(), tall.multiply());
    expect(&PAIR, &PAIR.multiply(), &two, &[FaultKind::InFlight], "does not know that it is complete");
}
