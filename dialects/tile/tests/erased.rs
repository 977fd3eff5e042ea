//! A reference to an erased op is safe to use, and operations that are not possible on it panic.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use tile_dialect::ir::Parts;

use melior::Context;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Module, RegionLike, ValueLike};
use tile_dialect::ir::{self, Ir};
use tile_dialect::pattern::PatternSet;

const TEXT: &str = "%0 = \"x.made\"() : () -> index
\"x.around\"() ({
  \"x.use\"(%0) : (index) -> ()
}) {label} : () -> ()
\"x.last\"() : () -> ()";

/// Runs `body` on a module of unregistered ops; returns the diagnostics, and the module afterwards.
fn with(body: impl FnOnce(&mut Module<'_>)) -> (Vec<String>, String) {
    let context = Context::new();
    context.set_allow_unregistered_dialects(true);
    let messages = Rc::new(RefCell::new(Vec::new()));
    let listener = messages.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        listener.borrow_mut().push(diagnostic.to_string());
        true
    });
    let mut module = Module::parse(&context, TEXT).expect("valid text");
    body(&mut module);
    let after = module.as_operation().to_string();
    drop(module);
    (messages.take(), after)
}

fn panics(body: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

#[test]
fn an_erased_op_can_be_read_until_the_end() {
    let (messages, after) = with(|module| {
        Ir::with(module, |ir| {
            let [around, used, made] = ["x.around", "x.use", "x.made"].map(|name| ir::named(ir.root(), name)[0]);
            let value = used.operand_at(0).expect("an operand");
            ir.rewriter().erase(around);
            // The op and its contents still exist, without operands and without a block.
            assert_eq!(around.name().as_string_ref().as_str(), Ok("x.around"));
            assert!(around.has_attribute("label") && around.block().is_none());
            assert_eq!(used.operand_count(), 0);
            assert_eq!(used.parent_operation(), Some(around));
            assert!(!ir::is_used(value));
            // An op that it used may be erased, too, and that op's result is still a value.
            ir.rewriter().erase(made);
            assert_eq!(value.r#type().to_string(), "index");
            assert_eq!(ir::defining_op(value), Some(made));
        });
    });
    assert!(messages.is_empty(), "{messages:?}");
    assert!(!after.contains("x.made") && !after.contains("x.around") && after.contains("x.last"), "{after}");
}

#[test]
fn what_cannot_be_done_is_a_panic() {
    with(|module| {
        Ir::with(module, |ir| {
            let (rewriter, root) = (ir.rewriter(), ir.root());
            let [around, made, last] = ["x.around", "x.made", "x.last"].map(|name| ir::named(root, name)[0]);
            assert!(panics(|| rewriter.erase(made)), "it is used");
            assert!(panics(|| rewriter.erase(root)), "the root is not below itself");
            rewriter.erase(around);
            assert!(panics(|| rewriter.erase(around)), "it is erased");
            assert!(panics(|| rewriter.set_insertion_point_before(around)), "it has no place");
            // The insertion point is not left at an op that is erased.
            rewriter.set_insertion_point_before(last);
            let point = rewriter.insertion_point();
            rewriter.erase(last);
            rewriter.insert(OperationBuilder::new("x.new", last.location()).build().expect("an op"));
            assert!(panics(|| rewriter.set_insertion_point(point)), "the point is gone");
        });
    });
}

#[test]
fn nothing_is_changed_outside_of_the_root() {
    with(|module| {
        let around = ir::named(module.as_operation(), "x.around")[0].to_raw();
        // SAFETY: the op is in a module that nothing else refers into.
        let ir = unsafe { Ir::from_raw(around) };
        let root = ir.root();
        let outside = root.next_in_block().expect("the last op");
        let inside = ir::named(root, "x.use")[0];
        let rewriter = ir.rewriter();
        let unit = tile_dialect::Ctx::of(root).unit();
        assert!(panics(|| rewriter.erase(outside)));
        assert!(panics(|| rewriter.set_insertion_point_before(root)));
        assert!(panics(|| rewriter.set_insertion_point_to_end(root.block().expect("the module's"))));
        assert!(panics(|| rewriter.set_attribute(outside, "x", unit)));
        rewriter.set_attribute(root, "x", unit);
        rewriter.set_insertion_point_after(inside);
        rewriter.set_insertion_point_to_start(root.region_at(0).expect("one").first_block().expect("one"));
    });
}

#[test]
fn a_pattern_erases_its_own_op_only() {
    let failed = Cell::new(false);
    let (messages, after) = with(|module| {
        Ir::with(module, |ir| {
            let mut patterns = PatternSet::new(ir, &failed);
            patterns.add("x.made", 1, &[], |op, rewriter| {
                let next = op.next_in_block().and_then(|op| op.next_in_block()).expect("x.last");
                rewriter.erase(next);
                true
            });
            patterns.add("x.last", 1, &[], |op, rewriter| {
                rewriter.erase(op);
                panic!("late");
            });
            patterns.walk();
        });
    });
    assert!(failed.get());
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(
        messages[0].contains("'x.made' op made the compiler fail: a pattern erases what it matched"),
        "{messages:?}"
    );
    assert!(messages[1].contains("'x.last' op made the compiler fail: late"), "{messages:?}");
    assert!(after.contains("x.made") && !after.contains("x.last"), "{after}");
}

#[test]
fn an_erased_op_that_is_used_again_is_said_and_stays() {
    let (messages, _) = with(|module| {
        Ir::with(module, |ir| {
            let [around, made, last] = ["x.around", "x.made", "x.last"].map(|name| ir::named(ir.root(), name)[0]);
            let value = made.result_at(0).expect("a result").into();
            ir.rewriter().erase(around);
            ir.rewriter().erase(made);
            ir.rewriter().set_insertion_point_before(last);
            let user = OperationBuilder::new("x.new", last.location()).add_operands(&[value]).build().expect("an op");
            ir.rewriter().insert(user);
        });
    });
    assert!(messages.iter().any(|message| message.contains("'x.made' op was erased and is used")), "{messages:?}");
}
