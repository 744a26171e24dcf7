//! Orders in which options are shown.

/// How many distinct orders `options` options have, at most `u32::MAX`.
pub fn possible_orders(options: usize) -> u32 {
    (1..=options)
        .try_fold(1_u32, |product, factor| {
            product.checked_mul(u32::try_from(factor).ok()?)
        })
        .unwrap_or(u32::MAX)
}

/// The first `count` orders of `options` options: as declared, reversed, then shuffles, no order twice.
///
/// Each order lists positions in the suite's order: `[2, 0, 1]` shows the third option first. Fewer come back
/// where fewer exist (two options have two orders). The same arguments always give the same orders, so that
/// recordings made on different machines agree; at most 65,535 options.
///
/// ```
/// use decbench_core::decision::orders_of;
/// assert_eq!(orders_of(3, 2), [[0, 1, 2], [2, 1, 0]]);
/// assert_eq!(orders_of(2, 4).len(), 2);
/// ```
pub fn orders_of(options: usize, count: usize) -> Vec<Vec<u16>> {
    let declared: Vec<u16> = (0..=u16::MAX).take(options).collect();
    let wanted = count.min(possible_orders(options) as usize);
    let mut orders = Vec::with_capacity(wanted);
    if wanted >= 1 {
        orders.push(declared.clone());
    }
    if wanted >= 2 {
        orders.push(declared.iter().rev().copied().collect());
    }
    // SplitMix64, written out here so that no dependency update can change what a recording is keyed by.
    let mut word = 0x6465_6362_656e_6368_u64 ^ options as u64;
    while orders.len() < wanted {
        let mut order = declared.clone();
        for last in (1..order.len()).rev() {
            word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = word;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^= mixed >> 31;
            let chosen = ((u128::from(mixed) * (last as u128 + 1)) >> 64) as usize;
            order.swap(last, chosen);
        }
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_distinct_and_capped_by_what_exists() {
        for options in 1..6 {
            for count in 0..8 {
                let orders = orders_of(options, count);
                assert_eq!(orders.len(), count.min(possible_orders(options) as usize));
                let mut seen = orders.clone();
                seen.sort();
                seen.dedup();
                assert_eq!(seen.len(), orders.len());
            }
        }
    }

    #[test]
    fn a_longer_list_starts_with_the_shorter_one() {
        assert_eq!(orders_of(4, 6)[..4], orders_of(4, 4)[..]);
        assert_eq!(orders_of(4, 4)[2..], [[1, 2, 3, 0], [2, 1, 0, 3]]);
    }

    #[test]
    fn many_options_overflow_nothing() {
        assert_eq!(possible_orders(255), u32::MAX);
        assert_eq!(orders_of(255, 4).len(), 4);
    }
}
