//! Accesses, by where the threads that make them begin.

use std::rc::Rc;

use tile_isa::Space;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, AddressForm, Footprint, Shift};

/// The bytes of an access, and where they start in the object.
pub type PlacedFootprint = (Rc<Footprint>, Shift);

/// A synchronous access by loads and stores.
pub fn access(object: usize, space: Space, write: bool, place: Option<PlacedFootprint>) -> Access {
    let access = Access::direct(object, space, write);
    match place {
        Some((bytes, shift)) => Access { bytes: Some(bytes), shift, ..access },
        None => access,
    }
}

/// A number of bytes at the address of each thread.
pub fn each(form: &AddressForm, threads: &ThreadSet, bytes: i64) -> PlacedFootprint {
    let footprint = match form.each[..] {
        [first] if !threads.is_empty() => Footprint::all(first, first.saturating_add(bytes), *threads),
        _ => Footprint::of(threads.iter().map(|thread| {
            let begin = form.of_thread(thread);
            (thread, begin, begin.saturating_add(bytes))
        })),
    };
    (Rc::new(footprint), form.shift.clone())
}

/// The registers of threads, as footprints that accesses share.
#[derive(Default)]
pub struct Registers {
    known: Vec<(ThreadSet, Rc<Footprint>)>,
}

impl Registers {
    /// A read of the registers of each thread, one byte for all of them.
    pub fn read(&mut self, object: usize, threads: &ThreadSet) -> Access {
        let known = self.known.iter().find(|known| known.0 == *threads).map(|(_, bytes)| Rc::clone(bytes));
        let bytes = known.unwrap_or_else(|| {
            let new = Rc::new(Footprint::of(threads.iter().map(|thread| (thread, thread, thread + 1))));
            self.known.push((*threads, Rc::clone(&new)));
            new
        });
        access(object, Space::Local, false, Some((bytes, Shift::none())))
    }
}
