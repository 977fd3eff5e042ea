//! What the plans of copies cost, by which layouts are compared.

use std::ops::AddAssign;

use tile_isa::{Space, WARP};

use crate::families::copy_plan::CopyPlan;
use crate::problem::Problem;
use crate::problem::role::Role;
use crate::target::Target;
use crate::touch::enumeration::MEMORIES;
use crate::traffic::NotCounted;

/// What copies cost, the most important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanCost {
    /// Copies that cannot be planned.
    pub refused: i64,
    /// Wavefronts of shared memory.
    pub wavefronts: i64,
    /// Requests of warps.
    pub requests: i64,
    /// Wavefronts that conflicts add.
    pub conflicts: i64,
}

impl PlanCost {
    /// The cost of one execution of a plan of `problem`.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn of(plan: &CopyPlan, problem: &Problem, target: &Target) -> Result<Self, NotCounted> {
        let (mut cost, banks) = (PlanCost::default(), target.shared_banks());
        plan.requests((problem, target), &MEMORIES, &mut |request| {
            cost.requests += 1;
            if request.space == Space::Shared {
                let (wavefronts, ideal) = request.wavefronts(banks);
                cost.wavefronts += wavefronts;
                cost.conflicts += wavefronts - ideal;
            }
        })?;
        Ok(cost)
    }

    /// The cost of so many executions.
    #[must_use]
    pub fn times(self, times: i64) -> Self {
        let each = |number: i64| number.saturating_mul(times);
        PlanCost {
            refused: self.refused,
            wavefronts: each(self.wavefronts),
            requests: each(self.requests),
            conflicts: each(self.conflicts),
        }
    }

    /// What no plan of a copy through registers costs less than, if every element is moved once: full wavefronts, and requests of as many
    /// bytes as the problem allows. A copy that an engine may do costs nothing at least.
    ///
    /// ```
    /// use tile_isa::{Scope, Space};
    /// use tile_plan::choose_layout::PlanCost;
    /// use tile_plan::problem::{Element, Problem};
    /// use tile_plan::problem::operands::Operand;
    /// use tile_plan::problem::threads::Threads;
    /// use tile_plan::target::Target;
    ///
    /// let tile = |space| Operand::whole(space, "(32, 32) : (32, 1)".parse().unwrap(), &[32, 32], 128);
    /// let warp = Threads::all(Scope::Warp, Some(32));
    /// let problem = Problem::new(tile(Space::Global), tile(Space::Shared), Element::new(32, "f32"), warp);
    /// let least = PlanCost::least(&problem, &Target::parse("sm_90a").unwrap());
    /// // 4096 bytes: 128 in a wavefront, 512 in a load and in a store.
    /// assert_eq!((least.wavefronts, least.requests), (32, 16));
    /// ```
    pub fn least(problem: &Problem, target: &Target) -> Self {
        let mut least = PlanCost::default();
        if problem.asynchronous.is_some() {
            return least;
        }
        for role in Role::ALL {
            let Some(operand) = problem.operands.get(role) else { continue };
            let elements = operand.extent.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            let bits = elements.saturating_mul(i64::from(problem.bits_of(role)));
            least += PlanCost::least_of_side(operand.space, bits, problem.max_vector_bits, target);
        }
        least
    }

    /// What accesses to so many bits of a memory cost at least, each once.
    pub(crate) fn least_of_side(space: Space, bits: i64, max_vector_bits: u32, target: &Target) -> Self {
        let (mut least, banks) = (PlanCost::default(), target.shared_banks());
        let units = |bits_of_unit: i64| bits / bits_of_unit.max(1);
        if space == Space::Shared {
            least.wavefronts = units(8 * banks.banks * banks.bank_bytes);
        }
        if matches!(space, Space::Shared | Space::Global) {
            least.requests = units(WARP * i64::from(max_vector_bits));
        }
        least
    }
}

impl AddAssign for PlanCost {
    fn add_assign(&mut self, other: PlanCost) {
        self.refused += other.refused;
        self.wavefronts = self.wavefronts.saturating_add(other.wavefronts);
        self.requests = self.requests.saturating_add(other.requests);
        self.conflicts = self.conflicts.saturating_add(other.conflicts);
    }
}
