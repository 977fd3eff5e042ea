//! Everything that is generated exists in the linked MLIR.

use std::collections::HashSet;
use std::fmt::Debug;

use melior::ir::{Attribute, Location, Module};
use melior::{Context, dialect::DialectRegistry, utility::register_all_dialects};
use tile_dialect::{Ctx, string_ref};
use tile_ops::{Case, Form};

fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    tile_dialect::dialect_handle().insert_dialect(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

#[test]
fn every_op_is_registered() {
    let context = context();
    // SAFETY: the context is alive, and the text is not kept.
    let known =
        |name: &&&str| unsafe { mlir_sys::mlirContextIsRegisteredOperation(context.to_raw(), string_ref(name)) };
    let missing: Vec<_> = tile_ops::OPS.iter().filter(|name| !known(name)).collect();
    assert!(missing.is_empty(), "not registered: {missing:?}");
    assert_eq!(tile_ops::OPS.iter().collect::<HashSet<_>>().len(), tile_ops::OPS.len());
    assert!(tile_ops::OPS.len() > 500, "{} ops", tile_ops::OPS.len());
}

#[test]
fn mlir_infers_what_the_builders_leave_to_it() {
    let context = context();
    // SAFETY: the context is alive, and the text is not kept.
    let infers = |name: &&&str| unsafe {
        let interface = mlir_sys::mlirInferTypeOpInterfaceTypeID();
        mlir_sys::mlirOperationImplementsInterfaceStatic(string_ref(name), context.to_raw(), interface)
    };
    let missing: Vec<_> = tile_ops::INFERRED.iter().filter(|name| !infers(name)).collect();
    assert!(missing.is_empty(), "not inferred: {missing:?}");
}

fn check<T: Case + Debug>() {
    let context = context();
    let module = Module::new(Location::unknown(&context));
    let context = Ctx::of(module.as_operation());
    let name = std::any::type_name::<T>();
    assert!(!T::ALL.is_empty(), "{name} has no cases");
    for &case in T::ALL {
        let attribute: Attribute<'_> = match T::FORM {
            Form::Text { dialect, before, after } => {
                let text = format!("#{dialect}<{before}{}{after}>", case.text());
                context.parse_attribute(&text).unwrap_or_else(|| panic!("{name}: no attribute {text}"))
            }
            Form::Integer(_) => case.attribute(context),
        };
        assert_eq!(T::of(attribute), Some(case), "{name}: {attribute}");
    }
}

#[test]
fn every_case_of_every_enum_is_an_attribute() {
    tile_ops::for_each_enum!(check);
}
