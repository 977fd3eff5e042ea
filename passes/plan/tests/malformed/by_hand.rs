//! Plans that someone wrote, as text or in a program: what verifies has addresses.

use super::draw::{conversion, damage, effect, guards, mask, number, ranks, side, target};
use crate::common::generate_tensor::{tmem_access, tmem_copy};
use crate::common::tape::tapes;
use proptest::prelude::*;
use tile_isa::{Cache, TmemForm, TmemShape, Transfer};
use tile_layout::Eval;
use tile_plan::address::{
    RowValues, access_address, access_register, bulk_address, matrix_address, matrix_register, realigned_chunk,
    row_edge, tensor_address, tensor_descriptor_units, vector_address,
};
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::family::Family as _;
use tile_plan::families::matrix::plan::MatrixCopy;
use tile_plan::families::realign::plan::RealignedCopy;
use tile_plan::families::select;
use tile_plan::families::tmem::access::TmemAccess;
use tile_plan::families::tmem::copy::{Descriptor, TmemCopy};
use tile_plan::families::vector::plan::MatchedCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::role::Role;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn copies_written_by_hand(mut tape in tapes()) {
        for _ in 0..16 {
            let src = side(&mut tape);
            let dst = if tape.chance(1, 2) { src.clone() } else { side(&mut tape) };
            let (variant, transfer) = tape.pick(&[("reg", Transfer::LoadStore), ("ldgsts", Transfer::CpAsync)]);
            let copy = MatchedCopy {
                variant,
                transfer,
                threads: number(&mut tape),
                thread_iters: tape.below(4) as usize,
                ranks: tape.chance(1, 4).then(|| ranks(&mut tape)),
                element_bits: tape.pick(&[32, 0, 8, u32::MAX]),
                conversion: conversion(&mut tape),
                effect: effect(&mut tape),
                mask: mask(&mut tape),
                src: tape.chance(7, 8).then_some(src),
                dst,
                rotates: tape.chance(1, 2),
                forced_bits: tape.chance(1, 4).then(|| tape.pick(&[128, 0, 24])),
                guards: guards(&mut tape),
                cache: Cache::default(),
            };
            if let Ok((copy, _)) = vectorize(&copy, &target(), 128) {
                let vectors = (copy.rounds - 1) * copy.threads + copy.last();
                prop_assert_eq!(vectors * copy.vector, copy.dst.layout.size());
                prop_assert_eq!(copy.verify(), Ok(()));
                let _ = vector_address(&mut Eval, &copy, Role::Src, 0, 0, &[0]);
            }
        }
    }

    #[test]
    fn bulk_copies_written_by_hand(mut tape in tapes()) {
        for _ in 0..16 {
            let src = side(&mut tape);
            let dst = if tape.chance(1, 2) { src.clone() } else { side(&mut tape) };
            let element_bits = tape.pick(&[32, 0, 8, u32::MAX]);
            let copy = BulkCopy { element_bits, chunk: number(&mut tape), src, dst, reduction: None, l2_evict: None };
            if copy.verify().is_ok() {
                prop_assert_eq!(copy.chunks() * copy.chunk, copy.dst.layout.size());
                let _ = bulk_address(&mut Eval, &copy, Role::Dst, number(&mut tape), &[0]);
            }
        }
    }

    #[test]
    fn realigned_rows_written_by_hand(mut tape in tapes()) {
        for _ in 0..16 {
            let src = side(&mut tape);
            let dst = if tape.chance(3, 4) { src.clone() } else { side(&mut tape) };
            let (threads, element_bits) = (number(&mut tape), tape.pick(&[16, 8, 128, 0, u32::MAX]));
            let plan = RealignedCopy { threads, ranks: None, element_bits, mask: None, weighed: None, src, dst };
            if plan.verify().is_ok() {
                let _ = (plan.chunk_rounds(), plan.edge_rounds(), plan.row_bytes());
                let values = RowValues { bases: &[0, 0], src: &[0], dst: &[0], mask: &[] };
                let _ = realigned_chunk(&mut Eval, &plan, (number(&mut tape), number(&mut tape)), &values);
                let _ = row_edge(&mut Eval, &plan, (number(&mut tape), number(&mut tape)), &values);
            }
        }
    }

    #[test]
    fn matrices_written_by_hand(mut tape in tapes()) {
        let copy = MatrixCopy {
            load: true,
            trans: false,
            num: number(&mut tape),
            threads: 32,
            shape: [1, 8, 4, 1, 2, 2].map(|extent| if tape.chance(1, 4) { number(&mut tape) } else { extent }),
            row_stride: number(&mut tape),
            shared: side(&mut tape),
            registers: side(&mut tape),
            guards: guards(&mut tape),
        };
        let _ = matrix_address(&mut Eval, &copy, number(&mut tape), number(&mut tape), &[0]);
        let _ = matrix_register(&copy, number(&mut tape), number(&mut tape));
    }

    #[test]
    fn tmem_copies_written_by_hand(mut tape in tapes()) {
        let (problem, _) = tmem_copy(&mut tape);
        let planned = select(&problem, &target());
        let (form, cta_group) = (tape.pick(&TmemForm::ALL), tape.pick(&[1, 2, 0, i64::MAX]));
        let descriptor = Descriptor { leading: number(&mut tape), stride: number(&mut tape), swizzle: number(&mut tape) };
        let (src, dst, element_bits) = (side(&mut tape), side(&mut tape), tape.pick(&[32, 0, 8, u32::MAX]));
        let tile_iters = tape.below(4) as usize;
        let mut copy = TmemCopy { form, cta_group, descriptor, element_bits, tile_iters, src, dst };
        if let Ok((CopyPlan::TmemCopy(planned), _)) = planned && tape.chance(3, 4) {
            copy = planned;
            damage(&mut tape, &mut copy.src, &mut copy.dst);
        }
        let good = copy.verify().is_ok();
        let tile = number(&mut tape);
        let units = tensor_descriptor_units(&mut Eval, &copy, tile, &[0, 0, 0]);
        let address = tensor_address(&mut Eval, &copy, tile, &[0, 0, 0]);
        prop_assert!(!good || units.is_ok() && address.is_ok(), "{copy:?}");
        let _ = (copy.tiles(), copy.instruction());
    }

    #[test]
    fn tmem_accesses_written_by_hand(mut tape in tapes()) {
        let (problem, _) = tmem_access(&mut tape);
        let planned = select(&problem, &target());
        let (shape, num) = (tape.pick(&TmemShape::ALL), number(&mut tape));
        let (tmem, registers, element_bits) = (side(&mut tape), side(&mut tape), tape.pick(&[32, 0, 8, u32::MAX]));
        let instruction_iters = tape.below(4) as usize;
        let load = tape.chance(1, 2);
        let mut access = TmemAccess { load, shape, num, element_bits, instruction_iters, tmem, registers };
        if let Ok((CopyPlan::TmemAccess(planned), _)) = planned && tape.chance(3, 4) {
            access = planned;
            damage(&mut tape, &mut access.tmem, &mut access.registers);
        }
        let good = access.verify().is_ok();
        let step = number(&mut tape);
        let register = access_register(&access, step);
        let address = access_address(&mut Eval, &access, step, number(&mut tape), &[0, 0, 0]);
        prop_assert!(!good || register.is_ok() && address.is_ok(), "{access:?}");
        let _ = (access.instructions(), access.instruction());
    }
}
