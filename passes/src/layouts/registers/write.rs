//! The types of tiles in registers, and the copies that products need: to fragments, and to and from tensor memory.

use std::cell::RefCell;

use melior::ir::{OperationRef, RegionLike, Value};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, Rewriter, is_inside, operand_name, uses};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::MmaOp;
use tile_dialect::{BufferType, FragmentAttr, LayoutAttr, SCHEDULE, Space, derived_type};
use tile_isa::Fragment;
use tile_ops::{Builder, scf, tile};
use tile_plan::linalg::{FactorTile, ProductPlan, ProductRegisters, RegisterChoice};

use super::super::flow::TileClass;
use super::super::types;
use super::copied::is_unchanged;
use super::read::{RegisterReading, buffer};
use crate::read::values::key;
use crate::read::{kernel, name};
use crate::report;

/// Writes what is chosen for a kernel.
pub struct RegisterWriter<'t, 'c, 'a> {
    pub reading: &'t RegisterReading<'t, 'c, 'a>,
    pub rewriter: Rewriter<'c, 'a>,
    pub kernel: OperationRef<'c, 'a>,
    /// The factors that have been copied to registers, which later products may take, too.
    pub loaded: RefCell<Vec<LoadedFactor<'c, 'a>>>,
}

/// A factor that is copied to registers.
pub struct LoadedFactor<'c, 'a> {
    source: Value<'c, 'a>,
    registers: ProductRegisters,
    copy: OperationRef<'c, 'a>,
    held: Value<'c, 'a>,
}

impl<'c: 'a, 'a> RegisterWriter<'_, 'c, 'a> {
    /// Writes all; `None`, after an error, where a tile cannot have its type.
    pub fn write(&self, choice: &RegisterChoice) -> Option<()> {
        let chosen = choice.tiles.iter().zip(&choice.is_of_product);
        for (class, (registers, is_of_product)) in self.reading.classes.iter().zip(chosen) {
            let Some(registers) = registers else { continue };
            for &root in &class.roots {
                let typed = typed(root, buffer(root)?.shape(), registers)?;
                self.rewriter.set_type(root, typed.as_type());
                types::views(root, typed, self.rewriter).then_some(())?;
            }
            let layout = match registers {
                ProductRegisters::Named(fragment) => fragment.to_string(),
                ProductRegisters::Layout(layout) => layout.to_string(),
            };
            let text = if *is_of_product {
                "in the registers that a product needs"
            } else {
                "divided among the threads that use it"
            };
            report::emit(*class.allocs.first()?, RemarkKind::Passed, "registers-chosen", text, &[("Layout", layout)]);
        }
        for (product, plan) in self.reading.products.iter().zip(&choice.plans) {
            self.multiply(*product, plan)?;
        }
        self.add_in_tensor_memory(&choice.plans)?;
        for (class, copy) in self.reading.classes.iter().zip(&self.reading.copied) {
            let is_read = class.roots.iter().flat_map(|root| uses(*root)).any(|(op, _)| name(op) == MmaOp::NAME);
            if let Some(copy) = copy.filter(|_| !is_read) {
                let text = format!("dropped: products read {} where it is", operand_name(copy.source));
                report::emit(copy.op, RemarkKind::Passed, "factor-read-in-place", &text, &[]);
                self.rewriter.erase(copy.op);
                class.allocs.iter().for_each(|alloc| self.rewriter.erase(*alloc));
            }
        }
        Some(())
    }

    /// Gives a product its factors where its instruction takes them.
    fn multiply(&self, product: MmaOp<'c, 'a>, plan: &ProductPlan) -> Option<()> {
        let (op, [a, b, c]) = (product.0, product.operands()?);
        self.rewriter.remove_attribute(op, SCHEDULE);
        let in_parts = plan.depth < plan.size[2];
        let taken = [a, b].into_iter().zip(&plan.factors).map(|(factor, tile)| {
            let is_read = in_parts || *tile == FactorTile::Shared;
            self.reading.shared(factor).filter(|_| is_read).unwrap_or(factor)
        });
        let [a, b] = taken.collect::<Vec<_>>().try_into().ok()?;
        let is_loaded = |factor, tile: &FactorTile| *tile != FactorTile::Shared && is_shared(factor);
        if !in_parts && !is_loaded(a, &plan.factors[0]) && !is_loaded(b, &plan.factors[1]) {
            self.rewriter.set_operand(op, 0, a);
            self.rewriter.set_operand(op, 1, b);
            return Some(());
        }
        let [m, n, k] = plan.size;
        for begin in (0..k).step_by(usize::try_from(plan.depth).unwrap_or(1).max(1)) {
            let a = self.loaded(op, a, &plan.factors[0], ([0, begin], [m, plan.depth]))?;
            let b = self.loaded(op, b, &plan.factors[1], ([begin, 0], [plan.depth, n]))?;
            let builder = Builder::before(self.rewriter, op);
            builder.rewriter.set_insertion_point_before(op);
            builder.rewriter.insert_clone(op, &[a, b, c]);
        }
        self.rewriter.erase(op);
        Some(())
    }

    /// A part of a factor where the instruction takes it: copied to registers, unless it is there.
    fn loaded(
        &self,
        op: OperationRef<'c, 'a>,
        factor: Value<'c, 'a>,
        tile: &FactorTile,
        (begin, sizes): ([i64; 2], [i64; 2]),
    ) -> Option<Value<'c, 'a>> {
        let builder = Builder::before(self.rewriter, op);
        let part = self.part(builder, factor, begin, sizes)?;
        let FactorTile::Registers(registers) = tile else { return Some(part) };
        if !is_shared(part) {
            return Some(part);
        }
        let is_there = |known: &&LoadedFactor<'c, 'a>| {
            key(known.source) == key(part) && known.registers == *registers && is_unchanged(part, known.copy, op)
        };
        if let Some(known) = self.loaded.borrow().iter().find(is_there) {
            return Some(known.held);
        }
        let held = self.alloc(builder, typed(part, &sizes, registers)?);
        let copy = tile::copy(builder, part, &[], held, &[], &[], &[], &[], &[], MmaOp(op).scope()).build().operation();
        self.loaded.borrow_mut().push(LoadedFactor { source: part, registers: registers.clone(), copy, held });
        Some(held)
    }

    fn part(
        &self,
        builder: Builder<'c, 'a>,
        tile: Value<'c, 'a>,
        begin: [i64; 2],
        sizes: [i64; 2],
    ) -> Option<Value<'c, 'a>> {
        let from = buffer(tile)?;
        if from.shape() == sizes {
            return Some(tile);
        }
        let open = from.left_open(builder.location, &sizes)?;
        let view = tile::subview(builder, tile, &[], &begin, &sizes, open.as_type()).build();
        if !from.is_auto() {
            self.rewriter.set_type(view.result(), derived_type(view.operation(), from).ok()?.as_type());
        }
        Some(view.result())
    }

    fn alloc(&self, builder: Builder<'c, 'a>, buffer: BufferType<'c>) -> Value<'c, 'a> {
        let entry = self.kernel.region_at(0).and_then(|body| body.first_block());
        let start = |rewriter: Rewriter<'c, 'a>| {
            entry.into_iter().for_each(|entry| rewriter.set_insertion_point_to_start(entry));
        };
        builder.elsewhere(start, |builder| tile::alloc(builder, buffer.as_type()).value())
    }

    /// Lets products add to tensor memory, from and to which sums are copied around the loops that use them for nothing else.
    fn add_in_tensor_memory(&self, plans: &[ProductPlan]) -> Option<()> {
        let products = self.reading.products.iter().zip(plans);
        let products: Vec<_> = products.filter_map(|(product, plan)| Some((*product, plan.tensor?))).collect();
        let mut moved: Vec<(Value<'c, 'a>, Value<'c, 'a>, OperationRef<'c, 'a>)> = Vec::new();
        for (product, fragment) in &products {
            let [_, _, sums] = product.operands()?;
            // Sums whose layout is stated are in no class.
            let class = self.reading.classes.iter().find(|class| class.has(sums));
            let around = class.map_or(product.0, |class| self.outermost(class, &products, *product));
            let is_same = |known: Value<'c, 'a>| self.reading.known_number(known) == self.reading.known_number(sums);
            let builder = Builder::before(self.rewriter, around);
            let tensor = match moved.iter().find(|(known, ..)| is_same(*known)) {
                Some((_, tensor, _)) => *tensor,
                None => self.alloc(builder, in_tensor_memory(sums, fragment)?),
            };
            if !moved.iter().any(|(known, _, place)| is_same(*known) && *place == around) {
                moved.push((sums, tensor, around));
                tile::copy(builder, sums, &[], tensor, &[], &[], &[], &[], &[], product.scope()).build();
                let after = |rewriter: Rewriter<'c, 'a>| rewriter.set_insertion_point_after(around);
                builder.elsewhere(after, |builder| {
                    tile::copy(builder, tensor, &[], sums, &[], &[], &[], &[], &[], product.scope()).build();
                });
            }
            self.rewriter.set_operand(product.0, 2, tensor);
        }
        Some(())
    }

    /// The outermost loop around a product in which products alone use its sums; the product itself, where there is none.
    fn outermost(
        &self,
        sums: &TileClass<'c, 'a>,
        products: &[(MmaOp<'c, 'a>, Fragment)],
        product: MmaOp<'c, 'a>,
    ) -> OperationRef<'c, 'a> {
        // Other views of the same elements would be copied back, too.
        if sums.values.len() > sums.roots.len() {
            return product.0;
        }
        let is_product = |op: &OperationRef<'c, 'a>| products.iter().any(|(product, _)| product.0 == *op);
        let others: Vec<_> = sums.accesses.iter().filter(|op| !is_product(op)).collect();
        let is_free = |around: &OperationRef<'c, 'a>| {
            name(*around) == scf::ForOp::NAME && !others.iter().any(|op| is_inside(**op, *around))
        };
        kernel::ancestors(product.0).take_while(is_free).last().unwrap_or(product.0)
    }
}

fn is_shared(tile: Value<'_, '_>) -> bool {
    buffer(tile).is_some_and(|buffer| buffer.space() == Space::Shared)
}

/// The type of a tile of the elements of another, in these registers.
fn typed<'c>(like: Value<'c, '_>, shape: &[i64], registers: &ProductRegisters) -> Option<BufferType<'c>> {
    let (location, element) = (tile_dialect::ir::location_of(like), buffer(like)?.element());
    let layout = registers.layout(shape, bit_width(element)?)?;
    let plain = BufferType::new(location, shape, element, Space::Local, LayoutAttr::new(location, &layout)?)?;
    match registers {
        ProductRegisters::Named(fragment) => plain.named(location, FragmentAttr::new(location, &fragment.to_string())?),
        ProductRegisters::Layout(_) => Some(plain),
    }
}

fn in_tensor_memory<'c>(sums: Value<'c, '_>, fragment: &Fragment) -> Option<BufferType<'c>> {
    let (location, sums) = (tile_dialect::ir::location_of(sums), buffer(sums)?);
    let layout = fragment.layout(sums.shape(), bit_width(sums.element())?).ok()?;
    let plain =
        BufferType::new(location, sums.shape(), sums.element(), Space::Tmem, LayoutAttr::new(location, &layout)?)?;
    plain.named(location, FragmentAttr::new(location, &fragment.to_string())?)
}
