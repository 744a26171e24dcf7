//! Isotonic regression of outcomes on forecasts.

/// A run of forecasts that share one recalibrated value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) mean: f64,
    pub(crate) weight: f64,
}

/// The best non-decreasing fit to outcomes in order of their forecasts, by pooling neighbours that are
/// out of order. Equal forecasts start as one block.
pub(crate) fn isotonic(sorted: &[(f64, f64)]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        let weight = group.len() as f64;
        let mean = group.iter().map(|(_, y)| y).sum::<f64>() / weight;
        let mut block = Block { mean, weight };
        while let Some(last) = blocks.last().filter(|last| last.mean >= block.mean) {
            let weight = last.weight + block.weight;
            let mean = (last.mean * last.weight + block.mean * block.weight) / weight;
            block = Block { mean, weight };
            blocks.pop();
        }
        blocks.push(block);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_out_of_order_are_pooled() {
        let blocks = isotonic(&[(0.1, 0.0), (0.2, 1.0), (0.3, 0.0), (0.4, 1.0), (0.4, 1.0)]);
        let means: Vec<f64> = blocks.iter().map(|block| block.mean).collect();
        assert_eq!(means, [0.0, 0.5, 1.0]);
    }

    #[test]
    fn a_falling_sequence_becomes_its_mean() {
        assert_eq!(
            isotonic(&[(0.1, 1.0), (0.5, 0.0)]),
            [Block {
                mean: 0.5,
                weight: 2.0
            }]
        );
    }
}
