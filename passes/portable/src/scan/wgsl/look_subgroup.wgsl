// The look-back by the first subgroup: each lane reads the state of a tile, and the sums up to the first that is missing, or
// that is a prefix, are added by shuffles. All lanes know the same.

const LOOKERS: u32 = LANES;

// The first lane of which a bit is set; LANES where none is.
fn first_lane(ballot: vec4<u32>) -> u32 {
  if (ballot.x != 0u) {
    return firstTrailingBit(ballot.x);
  }
  if (LANES > 32u && ballot.y != 0u) {
    return 32u + firstTrailingBit(ballot.y);
  }
  return LANES;
}

// The sum of the first lanes, which is in all lanes then. The higher a lane, the further left is its tile.
fn sum_lanes(lane: u32, lanes: u32, value: Element) -> Element {
  var sum = value;
  for (var distance = 1u; distance < LANES; distance = 2u * distance) {
    let left = subgroupShuffleDown(sum, distance);
    if (lane + distance < lanes) {
      sum = combine(left, sum);
    }
  }
  return subgroupShuffle(sum, 0u);
}

// Looks back until a prefix is found, or until too many polls brought nothing new. The state of the first tile is a prefix or
// missing, so no lane beyond it counts.
fn look_back(lane: u32) -> u32 {
  var spins = 0u;
  loop {
    var seen: Seen;
    seen.flag = MISSING;
    if (lane <= look) {
      seen = read_state(look - lane);
    }
    let missing = first_lane(subgroupBallot(seen.flag == MISSING));
    let prefix = first_lane(subgroupBallot(seen.flag == PREFIX));
    polls++;
    if (missing > 0u) {
      spins = 0u;
      let lanes = min(missing, prefix + 1u);
      take(sum_lanes(lane, lanes, seen.sum));
      if (prefix < missing) {
        look -= prefix;
        return DONE;
      }
      look -= lanes;
    } else {
      spins++;
      if (FALLBACK && spins >= MAX_SPIN) {
        return look;
      }
    }
    if (GIVES_UP && polls >= MAX_POLLS) {
      if (lane == 0u) {
        give_up();
      }
      return DONE;
    }
  }
  return DONE;
}
