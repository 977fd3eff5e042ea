//! A panic inside a callback becomes an error on the op, and nothing unwinds into MLIR.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use melior::Context;
use melior::ir::Module;
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::pattern::PatternSet;

/// Runs `body` on a module of two unregistered ops and returns what was reported.
fn reported(body: impl FnOnce(&mut Module<'_>)) -> Vec<String> {
    let context = Context::new();
    context.set_allow_unregistered_dialects(true);
    let messages = Rc::new(RefCell::new(Vec::new()));
    let listener = messages.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        listener.borrow_mut().push(diagnostic.to_string());
        true
    });
    let mut module = Module::parse(&context, "\"x.y\"() : () -> ()\n\"x.z\"() : () -> ()").expect("valid text");
    body(&mut module);
    drop(module);
    messages.take()
}

#[test]
fn a_panicking_pattern_is_an_error_on_its_op() {
    let (failed, others) = (Cell::new(false), Cell::new(0));
    let messages = reported(|module| {
        Ir::with(module, |ir| {
            let mut patterns = PatternSet::new(ir, &failed);
            patterns.add("x.y", 1, &[], |_, _| panic!("seven"));
            patterns.add("x.z", 1, &[], |_, _| {
                others.set(others.get() + 1);
                false
            });
            patterns.walk();
        });
    });
    assert!(failed.get());
    assert_eq!(others.get(), 1, "the walk goes on");
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("'x.y' op made the compiler fail: seven"), "{messages:?}");
}

#[test]
fn a_panicking_callback_gives_its_fallback() {
    let messages = reported(|module| {
        let answer = guard::on_op(module.as_operation(), 3, || panic!("{}", "eight".to_owned()));
        assert_eq!(answer, 3);
        assert_eq!(guard::on_op(module.as_operation(), 3, || 4), 4);
    });
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("made the compiler fail: eight"), "{messages:?}");
}
