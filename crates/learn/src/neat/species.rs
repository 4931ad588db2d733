//! Species: genomes that are near each other compete with each other only.

use serde::{Deserialize, Serialize};

use super::genome::GraphGenome;
use super::settings::NeatSettings;
use super::variation::aligned;

/// A species, from one generation to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Species {
    /// Who is near this one belongs to it: a random member of the last generation.
    pub representative: GraphGenome,
    /// The highest fitness it ever had.
    pub best: f64,
    /// For so many generations it has not got better.
    pub stagnant: u32,
}

/// How far two genomes are from each other: c₁ E / N + c₂ D / N + c₃ W.
pub fn distance(a: &GraphGenome, b: &GraphGenome, settings: &NeatSettings) -> f64 {
    let last = |genome: &GraphGenome| genome.connections.last().map_or(0, |one| one.innovation + 1);
    let common_end = last(a).min(last(b));
    let (mut excess, mut disjoint, mut matching, mut difference) = (0u32, 0u32, 0u32, 0.0);
    for pair in aligned(a, b) {
        match pair {
            (Some(x), Some(y)) => {
                matching += 1;
                difference += f64::from((x.weight - y.weight).abs());
            }
            (Some(one), None) | (None, Some(one)) if one.innovation >= common_end => excess += 1,
            _ => disjoint += 1,
        }
    }
    let genes = a.connections.len().max(b.connections.len());
    let size = if genes < settings.small as usize { 1.0 } else { genes as f64 };
    let mean = difference / f64::from(matching.max(1));
    (settings.excess * f64::from(excess) + settings.disjoint * f64::from(disjoint)) / size + settings.weights * mean
}

/// Puts every genome into the first species that it is near to, or into a new one. Species without members go. Returns the
/// members of each.
pub(super) fn sort_into(
    species: &mut Vec<Species>,
    genomes: &[GraphGenome],
    settings: &NeatSettings,
) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); species.len()];
    for (index, genome) in genomes.iter().enumerate() {
        let near = |one: &Species| distance(&one.representative, genome, settings) < settings.threshold;
        match species.iter().position(near) {
            Some(known) => members[known].push(index),
            None => {
                species.push(Species { representative: genome.clone(), best: f64::NEG_INFINITY, stagnant: 0 });
                members.push(vec![index]);
            }
        }
    }
    let mut alive = members.iter().map(|members| !members.is_empty());
    species.retain(|_| alive.next().unwrap_or(false));
    members.retain(|members| !members.is_empty());
    members
}

/// Shares out places in proportion to claims: whole numbers whose sum is exact, the largest remainders first. Equal shares if
/// nobody claims anything.
pub(super) fn share_out(places: usize, claims: &[f64]) -> Vec<usize> {
    let total: f64 = claims.iter().sum();
    let claim = |index: usize| {
        if total > 0.0 { claims[index] / total } else { 1.0 / claims.len() as f64 }
    };
    let exact: Vec<f64> = (0..claims.len()).map(|index| claim(index) * places as f64).collect();
    let mut shares: Vec<usize> = exact.iter().map(|share| share.floor() as usize).collect();
    let mut by_remainder: Vec<usize> = (0..claims.len()).collect();
    by_remainder.sort_by(|&x, &y| (exact[y] - exact[y].floor()).total_cmp(&(exact[x] - exact[x].floor())));
    let left = places.saturating_sub(shares.iter().sum());
    by_remainder.iter().cycle().take(if claims.is_empty() { 0 } else { left }).for_each(|&index| shares[index] += 1);
    shares
}

#[cfg(test)]
mod tests {
    use super::super::genome::Connection;
    use super::*;

    fn genome(genes: &[(u32, f32)]) -> GraphGenome {
        let connection =
            |&(innovation, weight): &(u32, f32)| Connection { innovation, from: 0, to: 1, weight, enabled: true };
        GraphGenome { nodes: Vec::new(), connections: genes.iter().map(connection).collect() }
    }

    #[test]
    fn distance_by_hand() {
        // The example of the paper: genes 1 to 5 and 8 against 1 to 7, 9 and 10. 6, 7 and 8 are disjoint, 9 and 10 excess.
        let a = genome(&[(1, 0.0), (2, 0.0), (3, 0.0), (4, 0.0), (5, 0.0), (8, 0.0)]);
        let b = genome(&[1, 2, 3, 4, 5, 6, 7, 9, 10].map(|innovation| (innovation, 0.5)));
        let settings = NeatSettings { excess: 100.0, disjoint: 1.0, weights: 0.4, ..NeatSettings::default() };
        assert!((distance(&a, &b, &settings) - (200.0 + 3.0 + 0.2)).abs() < 1e-9);
        assert_eq!(distance(&a, &b, &settings), distance(&b, &a, &settings));
        let measured = NeatSettings { small: 5, ..settings };
        assert!((distance(&a, &b, &measured) - (203.0 / 9.0 + 0.2)).abs() < 1e-9);
    }

    #[test]
    fn near_genomes_share_a_species() {
        let genomes = [genome(&[(0, 0.0)]), genome(&[(0, 20.0)]), genome(&[(0, 1.0)])];
        let mut species = Vec::new();
        assert_eq!(sort_into(&mut species, &genomes, &NeatSettings::default()), [vec![0, 2], vec![1]]);
        assert_eq!(sort_into(&mut species, &genomes[1..2], &NeatSettings::default()), [vec![0]]);
        assert_eq!(species.len(), 1, "a species without members is gone");
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(share_out(10, &[1.0, 1.0, 1.0]), [4, 3, 3]);
        assert_eq!(share_out(150, &[0.5, 0.25, 0.25]), [75, 38, 37]);
        assert_eq!(share_out(4, &[0.0, 0.0]), [2, 2]);
        assert!(share_out(4, &[]).is_empty());
    }
}
