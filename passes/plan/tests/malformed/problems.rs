//! Problems: what is planned verifies.

use super::draw::{mutated, problem, target};
use crate::common::tape::tapes;
use proptest::prelude::*;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::check::check_copy;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn problems(mut tape in tapes()) {
        for round in 0..8 {
            let problem = if round == 0 { mutated(&mut tape) } else { problem(&mut tape) };
            let checked = check_copy(&problem);
            if let Ok((aligned, _)) = select(&problem, &target()) {
                prop_assert_eq!(&checked, &Ok(()));
                prop_assert_eq!(aligned.verify(), Ok(()));
                match aligned {
                    CopyPlan::Partition(copy) => {
                        prop_assert!(vectorize(&copy, &target(), problem.max_vector_bits).is_ok());
                    }
                    CopyPlan::Composite(plan) => {
                        let planned = |plan: &CopyPlan| match plan {
                            CopyPlan::Partition(copy) => vectorize(copy, &target(), problem.max_vector_bits).is_ok(),
                            _ => true,
                        };
                        prop_assert!(plan.steps.iter().all(|step| planned(&step.plan)));
                    }
                    _ => {}
                }
            }
            let _ = (problem.threads.count(), problem.threads.narrowed(), problem.threads.elected());
        }
    }
}
