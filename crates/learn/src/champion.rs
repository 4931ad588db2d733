//! The best of a noisy contest is a candidate, not a champion.
//!
//! Whoever comes out on top of many has been lucky too: among 200 equal players the best of 50 games each looks like 66 %.
//! Its points in the contest say how it was chosen, not how strong it is. So a [`Candidate`] does not show any; only games
//! that had no part in the choice make a [`Champion`] of it, whose score is fair.

use crate::breeder::Generation;
use crate::round::{Genome, Played};

/// Someone who came out on top. How strong it is cannot be read from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    genome: Genome,
}

impl Candidate {
    /// A candidate, however it was found.
    pub fn new(genome: Genome) -> Candidate {
        Candidate { genome }
    }

    /// The first `count` of a generation.
    pub fn of(generation: &Generation, count: usize) -> Vec<Candidate> {
        generation.population.iter().take(count).map(|ranked| Candidate::new(ranked.genome.clone())).collect()
    }

    /// What it is.
    pub fn genome(&self) -> &Genome {
        &self.genome
    }

    /// The champion that games show which had no part in its choice. Without games it stays a candidate.
    pub fn measured(self, fresh: &[Played]) -> Result<Champion, Candidate> {
        if fresh.is_empty() {
            return Err(self);
        }
        let points: f64 = fresh.iter().map(|game| game.result.value()).sum();
        Ok(Champion { genome: self.genome, score: points / fresh.len() as f64, games: fresh.len() as u64 })
    }
}

/// Someone who was measured after it was chosen. Of several champions the best one is a candidate again.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Champion {
    /// What it is.
    pub genome: Genome,
    /// Its points a game in fresh games, 0 to 1.
    pub score: f64,
    /// How many they were.
    pub games: u64,
}

impl Champion {
    /// Forgets the score, to be chosen from among others.
    pub fn again(self) -> Candidate {
        Candidate::new(self.genome)
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{RandomStream, Seed};

    use super::*;
    use crate::round::Points;

    fn fair_games(count: usize, stream: &mut RandomStream) -> Vec<Played> {
        let game = |_| Played { result: if stream.below(2) == 0 { Points::Win } else { Points::Loss }, plies: 30 };
        (0..count).map(game).collect()
    }

    fn score(games: &[Played]) -> f64 {
        games.iter().map(|game| game.result.value()).sum::<f64>() / games.len() as f64
    }

    /// 200 individuals, all of strength ½, 50 games each, many times over.
    #[test]
    fn the_best_of_a_contest_looks_better_than_it_is() {
        let mut stream = Seed::new(11).stream();
        let (mut seen, mut fresh) = (0.0, 0.0);
        let contests = 40;
        for _ in 0..contests {
            let scores: Vec<f64> = (0..200).map(|_| score(&fair_games(50, &mut stream))).collect();
            let best = (0..200).max_by(|&x, &y| scores[x].total_cmp(&scores[y])).unwrap();
            seen += scores[best] / f64::from(contests);
            let candidate = Candidate::new(Genome::Weights(vec![best as f32]));
            let champion = candidate.measured(&fair_games(1_000, &mut stream)).unwrap();
            assert_eq!((champion.games, &champion.genome), (1_000, &Genome::Weights(vec![best as f32])));
            fresh += champion.score / f64::from(contests);
        }
        assert!((0.66..0.72).contains(&seen), "in the contest: {seen}");
        assert!((0.49..0.51).contains(&fresh), "on fresh games: {fresh}");
    }

    #[test]
    fn without_games_nobody_is_a_champion() {
        let candidate = Candidate::new(Genome::Weights(vec![1.0]));
        let still = candidate.clone().measured(&[]).unwrap_err();
        assert_eq!(still, candidate);
        let games = [Points::Win, Points::Draw].map(|result| Played { result, plies: 9 });
        let champion = still.measured(&games).unwrap();
        assert_eq!((champion.score, champion.games), (0.75, 2));
        assert_eq!(champion.again(), candidate);
    }
}
