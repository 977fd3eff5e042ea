//! Sites that cut all paths of several orders.
//!
//! For a single order, the cheapest are a minimum cut. The cuts of several orders may share sites. One order is cut after
//! the other, where the cuts before it leave a path open; sites that the others make redundant are then left out.
//!
//! ```text
//!   B1 and B2 after A:        A ──p0──▶ fork ──p1──▶ B1        a cut for B1 and B2 each
//!                                        └────p2──▶ B2
//! ```

use crate::sync::cuts::ways::Ways;

/// Sites that cut all paths; `None` where nothing cuts the paths of an order.
pub(super) fn cut(ways: &[Ways], weights: &[u64]) -> Option<Vec<usize>> {
    let mut taken = vec![false; weights.len()];
    let mut chosen = Vec::new();
    for way in ways {
        if way.is_open(&taken) {
            for site in way.cut(&taken, weights)? {
                taken[site] = true;
                chosen.push(site);
            }
        }
    }
    chosen.sort_by_key(|&site| std::cmp::Reverse((weights[site], site)));
    chosen.retain(|&site| {
        taken[site] = false;
        taken[site] = ways.iter().any(|way| way.sites.contains(&site) && way.is_open(&taken));
        taken[site]
    });
    Some(chosen)
}
