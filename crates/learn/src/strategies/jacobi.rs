//! Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations: slow, simple and the same bits everywhere.

/// Rotations go over the whole matrix so often at most; it takes six to ten rounds.
const MOST_SWEEPS: u32 = 40;

/// The eigenvalues of a symmetric matrix, row by row in `matrix`, and their eigenvectors: `vectors[i * n + k]` is component `i` of
/// eigenvector `k`.
pub fn eigen(mut matrix: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    // Rows are kept instead of columns: a rotation then runs over memory in order.
    let mut rows = vec![0.0; n * n];
    (0..n).for_each(|i| rows[i * n + i] = 1.0);
    for _ in 0..MOST_SWEEPS {
        let on: f64 = (0..n).map(|i| matrix[i * n + i] * matrix[i * n + i]).sum();
        let off: f64 = (0..n).flat_map(|i| (i + 1..n).map(move |j| i * n + j)).map(|at| matrix[at] * matrix[at]).sum();
        if off <= on * 1e-30 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut matrix, &mut rows, n, p, q);
            }
        }
    }
    let values = (0..n).map(|i| matrix[i * n + i]).collect();
    let vectors = (0..n * n).map(|at| rows[at % n * n + at / n]).collect();
    (values, vectors)
}

/// Turns the plane of two axes so that the element between them vanishes.
fn rotate(matrix: &mut [f64], rows: &mut [f64], n: usize, p: usize, q: usize) {
    let between = matrix[p * n + q];
    if between == 0.0 {
        return;
    }
    let theta = (matrix[q * n + q] - matrix[p * n + p]) / (2.0 * between);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let tangent = if theta.abs() > 1e150 { 0.5 / theta } else { sign / (theta.abs() + (theta * theta + 1.0).sqrt()) };
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for row in 0..n {
        let (x, y) = (matrix[row * n + p], matrix[row * n + q]);
        matrix[row * n + p] = cosine * x - sine * y;
        matrix[row * n + q] = sine * x + cosine * y;
    }
    for list in [&mut *matrix, rows] {
        let (head, tail) = list.split_at_mut(q * n);
        for (x, y) in head[p * n..(p + 1) * n].iter_mut().zip(&mut tail[..n]) {
            (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
        }
    }
    matrix[p * n + q] = 0.0;
    matrix[q * n + p] = 0.0;
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    #[test]
    fn two_by_two_by_hand() {
        let (mut values, _) = eigen(vec![2.0, 1.0, 1.0, 2.0], 2);
        values.sort_by(f64::total_cmp);
        assert!((values[0] - 1.0).abs() < 1e-14 && (values[1] - 3.0).abs() < 1e-14);
    }

    #[test]
    fn parts_make_the_whole() {
        let n = 30;
        let mut stream = Seed::new(1).stream();
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            for j in i..n {
                let value = stream.unit() - 0.5;
                (matrix[i * n + j], matrix[j * n + i]) = (value, value);
            }
        }
        let (values, vectors) = eigen(matrix.clone(), n);
        for i in 0..n {
            for j in 0..n {
                let sum: f64 = (0..n).map(|k| vectors[i * n + k] * values[k] * vectors[j * n + k]).sum();
                assert!((sum - matrix[i * n + j]).abs() < 1e-12, "{i} {j}");
                let dot: f64 = (0..n).map(|k| vectors[k * n + i] * vectors[k * n + j]).sum();
                assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }
}
