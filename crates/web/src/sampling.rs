//! Long curves made short: Steinarsson's largest triangles (2013), which keep what the eye sees of a curve.

/// Fewer points than this are too few to keep the extremes besides.
const LEAST_WITH_EXTREMES: usize = 8;

/// The indices of at most `most` points that stand for all: the first, the last, the highest, the lowest, and of each bucket
/// between the one that makes the largest triangle with the point kept before it and the mean of the next bucket. Points are
/// in order of x.
pub fn thinned(points: &[(f64, f64)], most: usize) -> Vec<usize> {
    if points.len() <= most || most < 3 {
        return (0..points.len()).collect();
    }
    if most < LEAST_WITH_EXTREMES {
        return triangles(points, most);
    }
    let mut kept = triangles(points, most - 2);
    let by_height = |&a: &usize, &b: &usize| points[a].1.total_cmp(&points[b].1);
    kept.extend((0..points.len()).min_by(by_height));
    kept.extend((0..points.len()).max_by(by_height));
    kept.sort_unstable();
    kept.dedup();
    kept
}

fn triangles(points: &[(f64, f64)], most: usize) -> Vec<usize> {
    let (buckets, inner) = (most - 2, points.len() - 2);
    let start = |bucket: usize| 1 + bucket * inner / buckets;
    let mut kept = vec![0];
    let mut last = points[0];
    for bucket in 0..buckets {
        let (from, to) = (start(bucket), start(bucket + 1));
        let next = &points[to..start(bucket + 2).min(points.len()).max(to + 1)];
        let count = next.len() as f64;
        let mean = next.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
        let area = |&(x, y): &(f64, f64)| ((last.0 - mean.0) * (y - last.1) - (last.0 - x) * (mean.1 - last.1)).abs();
        let largest = (from..to).max_by(|&a, &b| area(&points[a]).total_cmp(&area(&points[b])));
        let chosen = largest.unwrap_or(from);
        kept.push(chosen);
        last = points[chosen];
    }
    kept.push(points.len() - 1);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_curves_stay_as_they_are() {
        let points: Vec<(f64, f64)> = (0..10).map(|x| (f64::from(x), 1.0)).collect();
        assert_eq!(thinned(&points, 10), (0..10).collect::<Vec<_>>());
        assert_eq!(thinned(&[], 10), Vec::<usize>::new());
    }

    #[test]
    fn peaks_ends_and_order_stay() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|x| (f64::from(x), f64::from(x % 7) * 1e-3)).collect();
        points[43_210].1 = 50.0;
        points[43_211].1 = -60.0;
        points[43_212].1 = 49.0;
        let kept = thinned(&points, 500);
        assert_eq!((kept.first(), kept.last()), (Some(&0), Some(&99_999)));
        assert!((498..=500).contains(&kept.len()), "{} points", kept.len());
        assert!(kept.contains(&43_210) && kept.contains(&43_211), "neighbouring peaks are kept, both");
        assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
        for most in 3..40 {
            assert!(thinned(&points[..41], most).len() <= most);
        }
    }
}
