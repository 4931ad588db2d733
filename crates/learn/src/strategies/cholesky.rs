//! The Cholesky root of a symmetric matrix: plain arithmetic in a fixed order, the same bits everywhere.

/// The lower triangle `a` with `a · aᵀ = matrix`, row by row, zeros above. Where rounding has left the matrix without a positive
/// pivot, a tiny one stands in for it.
pub fn root(matrix: &[f64], n: usize) -> Vec<f64> {
    let mut lower = vec![0.0; n * n];
    for i in 0..n {
        let (above, rest) = lower.split_at_mut(i * n);
        let row = &mut rest[..n];
        for j in 0..i {
            let other = &above[j * n..(j + 1) * n];
            row[j] = (matrix[i * n + j] - dot(&row[..j], &other[..j])) / other[j];
        }
        row[i] = (matrix[i * n + i] - dot(&row[..i], &row[..i])).max(1e-300).sqrt();
    }
    lower
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanista_core::Seed;

    #[test]
    fn by_hand() {
        // 2 0 0, 1 3 0, -1 2 1 times its transpose.
        let matrix = [4.0, 2.0, -2.0, 2.0, 10.0, 5.0, -2.0, 5.0, 6.0];
        assert_eq!(root(&matrix, 3), [2.0, 0.0, 0.0, 1.0, 3.0, 0.0, -1.0, 2.0, 1.0]);
    }

    #[test]
    fn the_root_times_itself_is_the_matrix() {
        let n = 30;
        let mut stream = Seed::new(1).stream();
        let random: Vec<f64> = (0..n * n).map(|_| stream.unit() - 0.5).collect();
        let product = |a: &[f64]| -> Vec<f64> {
            (0..n * n).map(|at| dot(&a[at / n * n..(at / n + 1) * n], &a[at % n * n..(at % n + 1) * n])).collect()
        };
        let matrix = product(&random);
        let again = product(&root(&matrix, n));
        assert!(matrix.iter().zip(&again).all(|(x, y)| (x - y).abs() < 1e-9));
    }

    #[test]
    fn a_matrix_without_a_root_gives_numbers_all_the_same() {
        assert!(root(&[1.0, 2.0, 2.0, 1.0], 2).iter().all(|number| number.is_finite()));
    }
}
