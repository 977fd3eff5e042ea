//! Layouts that the accesses of planned copies suggest: a tile that is written by rows and read by rows, or by columns.

use std::cell::RefCell;
use std::rc::Rc;

use tile_isa::{Scope, Space};
use tile_layout::Layout;
use tile_plan::choose_layout::{
    CopyAccesses, LayoutFamily, LayoutProblem, NVIDIA, PlacedTile, PlanCost, TileObserver, alike, observe, search,
};
use tile_plan::families::select;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;

/// Copies of 64x64 elements by a block of 128 threads: from memory by rows, and to memory with these strides.
struct Copies {
    element: (u32, &'static str),
    target: Target,
    read: Layout,
    /// The layouts and widths that were asked for.
    asked: RefCell<Vec<(Layout, u32)>>,
}

impl Copies {
    fn new(element: (u32, &'static str), read: &str) -> Self {
        let (target, asked) = (Target::parse("sm_90a").unwrap(), RefCell::default());
        Copies { element, target, read: read.parse().unwrap(), asked }
    }

    fn problems(&self, layout: &Layout, max_bits: u32) -> [Problem; 2] {
        let tile = |space, layout: &Layout| Operand::whole(space, layout.clone(), &[64, 64], 128);
        let (shared, rows) = (tile(Space::Shared, layout), tile(Space::Global, &Layout::row_major(&[64, 64])));
        let pairs = [(rows, shared.clone()), (shared, tile(Space::Global, &self.read))];
        pairs.map(|(src, dst)| {
            let element = Element::new(self.element.0, self.element.1);
            let problem = Problem::new(src, dst, element, Threads::all(Scope::Cta, Some(128)));
            Problem { max_vector_bits: max_bits, ..problem }
        })
    }

    fn search(&self) -> (Layout, usize) {
        let problem = LayoutProblem {
            shape: vec![64, 64],
            element_bytes: i64::from(self.element.0 / 8),
            accesses: Vec::new(),
            phases: &NVIDIA,
            family: LayoutFamily::Free,
            max_elements: None,
        };
        search(&problem, 128, self).unwrap()
    }
}

impl TileObserver for Copies {
    fn cost(&self, layout: &Layout) -> Option<PlanCost> {
        let mut sum = PlanCost::default();
        for problem in self.problems(layout, 128) {
            let (plan, _) = select(&problem, &self.target).ok()?;
            sum += PlanCost::of(&plan, &problem, &self.target).ok()?;
        }
        Some(sum)
    }

    fn accesses(&self, layout: &Layout, max_bits: u32) -> Option<Rc<CopyAccesses>> {
        self.asked.borrow_mut().push((layout.clone(), max_bits));
        let tile = PlacedTile::new(layout.clone());
        let accesses = |(problem, role): (&Problem, Role)| {
            let (plan, _) = select(problem, &self.target).ok()?;
            observe(&plan, (problem, &self.target), role, &tile).ok().map(alike)
        };
        Some(Rc::new(self.problems(layout, max_bits).iter().zip([Role::Dst, Role::Src]).map(accesses).collect()))
    }

    fn least(&self) -> PlanCost {
        let mut sum = PlanCost::default();
        for problem in self.problems(&Layout::row_major(&[64, 64]), 128) {
            sum += PlanCost::least(&problem, &self.target);
        }
        sum
    }
}

#[test]
fn columns_are_read_without_conflicts() {
    for (element, wavefronts) in [((32, "f32"), 256), ((16, "f16"), 128)] {
        let copies = Copies::new(element, "(64, 64) : (1, 64)");
        let (layout, tried) = copies.search();
        let (cost, rows) = (copies.cost(&layout).unwrap(), copies.cost(&Layout::row_major(&[64, 64])).unwrap());
        assert_eq!((cost.refused, cost.conflicts), (0, 0), "{layout}");
        assert!(cost.wavefronts >= wavefronts && cost.wavefronts < rows.wavefronts, "{cost:?}, {rows:?}");
        assert!(cost >= copies.least() && tried > 1, "{tried}");
    }
}

/// Rows in vectors of 16 bytes cannot be better, so nothing else is looked at but the two orders of the tile.
#[test]
fn the_least_possible_ends_the_search() {
    let copies = Copies::new((32, "f32"), "(64, 64) : (64, 1)");
    let (layout, tried) = copies.search();
    assert_eq!((&layout, tried), (&Layout::row_major(&[64, 64]), 1));
    assert_eq!(copies.cost(&layout), Some(copies.least()));
    let asked = copies.asked.borrow();
    assert!(asked.iter().all(|(_, bits)| *bits == 128) && asked.len() <= 4, "{asked:?}");
}
