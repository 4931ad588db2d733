//! The loop that all learners with generations share: contest, table, succession.

use std::cell::OnceCell;

use lanista_core::Seed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::breeder::{Breeder, Figures, Generation, Ranked};
use crate::contest::{Contest, Entrant, PlayedRound, Standing};
use crate::hall_of_fame::HallOfFame;
use crate::round::{Genome, Played, Round};

/// Someone who takes part in the contest of a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// What it is.
    pub genome: Genome,
    /// What the contest knows about it.
    pub entrant: Entrant,
}

/// How one generation becomes the next. It knows no games, only who stands where.
///
/// All randomness comes from the generation's seed, so the contestants of a generation are a function of the state.
pub trait Lineage: Send {
    /// What it has to remember between generations.
    type State: Clone + Serialize + DeserializeOwned + Send;

    /// How many take part in a generation.
    fn size(&self) -> usize;

    /// Everyone who takes part in this generation.
    fn contestants(&self, generation: u32, seed: Seed) -> Vec<Contestant>;

    /// Goes on to the next generation, and says who of the contestants lives on as it is.
    fn succeed(&mut self, generation: u32, contestants: &[Contestant], standing: &Standing, seed: Seed) -> Vec<bool>;

    /// The middle of the search, if there is one.
    fn centre(&self) -> Option<Genome> {
        None
    }

    /// The state.
    fn state(&self) -> &Self::State;

    /// Goes back to a state. An error says why it cannot be one.
    fn adopt(&mut self, state: Self::State) -> Result<(), String>;
}

/// A learner with generations.
pub struct Generations<L: Lineage> {
    lineage: L,
    contest: Contest,
    hall: Option<HallOfFame>,
    generations: u32,
    seed: Seed,
    generation: u32,
    members: Vec<Genome>,
    played: Vec<PlayedRound>,
    /// Made when they are first asked for: whoever only checks settings needs nobody.
    contestants: OnceCell<Vec<Contestant>>,
    under_way: Option<Round>,
}

/// What is saved. The contestants and the meetings are functions of it.
#[derive(Serialize, Deserialize)]
struct Saved<S> {
    generation: u32,
    lineage: S,
    members: Vec<Genome>,
    results: Vec<Vec<Vec<Played>>>,
}

impl<L: Lineage> Generations<L> {
    /// A learner that has not begun. An error says which setting is wrong.
    pub fn new(
        lineage: L,
        contest: Contest,
        hall: Option<HallOfFame>,
        generations: u32,
        seed: Seed,
    ) -> Result<Generations<L>, String> {
        if generations == 0 {
            return Err("generations = 0: expected 1 or more".into());
        }
        hall.iter().try_for_each(HallOfFame::check)?;
        contest.check(lineage.size())?;
        Ok(Generations {
            lineage,
            contest,
            hall,
            generations,
            seed,
            generation: 0,
            members: Vec::new(),
            played: Vec::new(),
            contestants: OnceCell::new(),
            under_way: None,
        })
    }

    /// How generations follow each other.
    pub fn lineage(&self) -> &L {
        &self.lineage
    }

    /// The hall of fame, the oldest member first.
    pub fn members(&self) -> &[Genome] {
        &self.members
    }

    fn saved(&self) -> Saved<L::State> {
        Saved {
            generation: self.generation,
            lineage: self.lineage.state().clone(),
            members: self.members.clone(),
            results: self.played.iter().map(|round| round.results.clone()).collect(),
        }
    }

    fn go_back(&mut self, saved: Saved<L::State>) -> Result<(), String> {
        if saved.generation > self.generations {
            return Err(format!("saved state: generation {} of {}", saved.generation, self.generations));
        }
        if saved.members.len() > self.hall.as_ref().map_or(0, |hall| hall.size as usize) {
            return Err("saved state: too many in the hall of fame".into());
        }
        self.lineage.adopt(saved.lineage)?;
        self.generation = saved.generation;
        self.members = saved.members;
        self.under_way = None;
        self.played.clear();
        self.contestants.take();
        if !self.members.iter().all(|member| is_like(member, &self.contestants()[0].genome)) {
            return Err("saved state: others in the hall of fame than in the population".into());
        }
        for results in saved.results {
            let round = self.next_round().filter(|round| fit(round, &results));
            let round = round.ok_or("saved state: results do not fit the rounds of the generation")?;
            self.played.push(PlayedRound { meetings: round.meetings, results });
        }
        Ok(())
    }

    fn contestants(&self) -> &[Contestant] {
        self.contestants.get_or_init(|| self.lineage.contestants(self.generation, self.own_seed()))
    }

    fn own_seed(&self) -> Seed {
        self.seed.child(u64::from(self.generation))
    }

    fn entrants(&self) -> Vec<Entrant> {
        self.contestants().iter().map(|contestant| contestant.entrant).collect()
    }

    fn next_round(&self) -> Option<Round> {
        if self.is_finished() {
            return None;
        }
        let mut meetings = self.contest.next_round(&self.entrants(), &self.played, self.own_seed())?;
        if let (Some(hall), true) = (&self.hall, self.played.is_empty()) {
            meetings.extend(hall.meetings(self.contestants().len(), self.members.len(), self.own_seed()));
        }
        let contestants = self.contestants().iter().map(|contestant| &contestant.genome);
        Some(Round { genomes: contestants.chain(&self.members).cloned().collect(), meetings })
    }

    /// Takes the results of a round; a generation if that was its last one.
    fn absorb(&mut self, round: Round, results: &[Vec<Played>]) -> Option<Generation> {
        self.played.push(PlayedRound { meetings: round.meetings, results: results.to_vec() });
        if self.next_round().is_some() {
            return None;
        }
        let seed = self.own_seed();
        let standing = self.contest.standing(&self.entrants(), &self.played, seed);
        // The contest has just been told who they are; the next generation makes its own.
        let contestants = self.contestants.take().unwrap_or_default();
        let lives_on = self.lineage.succeed(self.generation, &contestants, &standing, seed);
        if let Some(hall) = &self.hall {
            hall.welcome(&mut self.members, self.generation, &contestants[standing.order[0]].genome);
        }
        let ranked = |&who: &usize| Ranked {
            genome: contestants[who].genome.clone(),
            fitness: standing.fitness[who],
            lives_on: lives_on[who],
        };
        let games = || self.played.iter().flat_map(|round| round.results.iter().flatten());
        let generation = Generation {
            number: self.generation,
            games: games().count() as u64,
            plies: games().map(|game| u64::from(game.plies)).sum(),
            figures: Figures::of(&standing.fitness),
            as_knock_out: standing.as_knock_out,
            population: standing.order.iter().map(ranked).collect(),
            centre: self.lineage.centre(),
        };
        self.generation += 1;
        self.played.clear();
        Some(generation)
    }
}

impl<L: Lineage> Breeder for Generations<L> {
    fn ask(&mut self) -> Option<Round> {
        if self.under_way.is_some() {
            return None;
        }
        self.under_way = self.next_round();
        self.under_way.clone()
    }

    fn tell(&mut self, results: &[Vec<Played>]) -> Option<Generation> {
        let round = self.under_way.take().expect("a round is under way");
        assert!(fit(&round, results), "every meeting has its games");
        self.absorb(round, results)
    }

    fn is_finished(&self) -> bool {
        self.generation >= self.generations
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.saved()).expect("plain data can be written to memory")
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let saved: Saved<L::State> = postcard::from_bytes(state).map_err(|error| format!("saved state: {error}"))?;
        let before = self.saved();
        self.go_back(saved).inspect_err(|_| {
            // What was there a moment ago is sound.
            let _ = self.go_back(before);
        })
    }
}

/// Whether there is a list of the right length for every meeting.
pub(crate) fn fit(round: &Round, results: &[Vec<Played>]) -> bool {
    round.meetings.len() == results.len()
        && round.meetings.iter().zip(results).all(|(meeting, games)| meeting.games as usize == games.len())
}

/// Whether a genome from outside could have been bred with another one.
fn is_like(genome: &Genome, other: &Genome) -> bool {
    match (genome, other) {
        (Genome::Weights(x), Genome::Weights(y)) => x.len() == y.len(),
        (Genome::Graph(graph), Genome::Graph(_)) => graph.check().is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round::FirstMover;

    /// Ten who never come.
    struct Absent;

    impl Lineage for Absent {
        type State = ();

        fn size(&self) -> usize {
            10
        }

        fn contestants(&self, _: u32, _: Seed) -> Vec<Contestant> {
            panic!("nobody was to be made")
        }

        fn succeed(&mut self, _: u32, _: &[Contestant], _: &Standing, _: Seed) -> Vec<bool> {
            Vec::new()
        }

        fn state(&self) -> &() {
            &()
        }

        fn adopt(&mut self, _: ()) -> Result<(), String> {
            Ok(())
        }
    }

    /// Sweeps check hundreds of settings; the first population of each would take longer than the rest of it.
    #[test]
    fn settings_are_checked_without_making_anybody() {
        let begin = |contest: Contest, generations| Generations::new(Absent, contest, None, generations, Seed::new(1));
        let fixed = Contest::FixedAgent { games: 2, first: FirstMover::Alternate, opponent: 0 };
        assert!(begin(fixed.clone(), 5).is_ok_and(|begun| !begun.is_finished()));
        assert!(begin(fixed, 0).is_err_and(|reason| reason.contains("generations = 0")));
    }
}
