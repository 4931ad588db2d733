//! Random orders.

use lanista_core::RandomStream;

/// Puts a list into a random order, each equally likely (Fisher and Yates).
pub(crate) fn shuffle<T>(list: &mut [T], stream: &mut RandomStream) {
    for last in (1..list.len()).rev() {
        list.swap(last, stream.below(last as u32 + 1) as usize);
    }
}

/// A number in `0..bound` that is not `but`, each equally likely; `but` itself if there is no other.
pub(crate) fn other_than(but: usize, bound: usize, stream: &mut RandomStream) -> usize {
    if bound < 2 {
        return but;
    }
    let number = stream.below(bound as u32 - 1) as usize;
    if number < but { number } else { number + 1 }
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    #[test]
    fn orders_and_others_are_even() {
        let mut stream = Seed::new(1).stream();
        let mut first = [0; 4];
        for _ in 0..40_000 {
            let mut list = [0, 1, 2, 3];
            shuffle(&mut list, &mut stream);
            first[list[0]] += 1;
        }
        assert!(first.iter().all(|count| (9_480..10_520).contains(count)), "{first:?}");
        let mut others = [0; 4];
        (0..30_000).for_each(|_| others[other_than(2, 4, &mut stream)] += 1);
        assert_eq!(others[2], 0);
        assert!([0, 1, 3].iter().all(|&other| (9_500..10_500).contains(&others[other])), "{others:?}");
        assert_eq!(other_than(0, 1, &mut stream), 0);
    }
}
