// The look-back by one thread, tile by tile.

const LOOKERS: u32 = 1u;

// Looks back until a prefix is found, or until too many polls brought nothing new.
fn look_back(thread: u32) -> u32 {
  var spins = 0u;
  loop {
    let seen = read_state(look);
    polls++;
    if (seen.flag != MISSING) {
      spins = 0u;
      take(seen.sum);
      if (seen.flag == PREFIX) {
        return DONE;
      }
      look--;
    } else {
      spins++;
      if (FALLBACK && spins >= MAX_SPIN) {
        return look;
      }
    }
    if (GIVES_UP && polls >= MAX_POLLS) {
      if (thread == 0u) {
        give_up();
      }
      return DONE;
    }
  }
  return DONE;
}
