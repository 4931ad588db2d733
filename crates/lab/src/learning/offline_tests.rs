//! Offline learning, step by step.

use lanista_games::loa::Loa;
use lanista_learn::offline::Stage;
use lanista_learn::{Genome, OptimiserName};
use lanista_nn::{Activation, View};

use super::super::eyes::sum_of_features;
use super::*;
use crate::blobs::Blobs;
use crate::jobs::Cancel;

fn structure(sizes: &[usize], activation: Activation) -> Structure {
    let shape = Shape::uniform(25, sizes, activation);
    let body = Body::Network { shape: shape.clone(), groups: vec!["board".into()], view: View::Mover };
    Structure { name: shape.to_string(), shape, body, first: None }
}

fn training(stages: &[Stage]) -> Training {
    Training { stages: stages.to_vec(), optimiser: OptimiserName::Sgd, momentum: 0.9, minibatch: 1 }
}

fn judge(depth: u32) -> Judge {
    Judge { player: format!("alphabeta:depth={depth},eval=aloa"), scale: 100 }
}

/// The same with all that training can do.
fn rich_plan() -> OfflinePlan {
    let stages = [Stage::at(0.02, 3), Stage::at(0.005, 2)];
    let training = Training { optimiser: OptimiserName::Adam, minibatch: 7, ..training(&stages) };
    OfflinePlan { training, symmetries: true, judge: Some((judge(1), 0.5)), ..plan() }
}

fn plan() -> OfflinePlan {
    OfflinePlan {
        game: "loa5".into(),
        rules: String::new(),
        structures: vec![structure(&[4, 1], Activation::Sigmoid), structure(&[1], Activation::Tanh)],
        players: ["random".into(), "greedy:eval=aloa".into()],
        games: 26,
        batch: 10,
        given: GameRows::default(),
        backup: Backup { discount: 0.9, towards: 0.5, rate: None },
        judge: None,
        validation: 0.2,
        training: training(&[Stage::at(0.2, 3), Stage::at(0.05, 2)]),
        symmetries: false,
        cycles_a_step: 2,
        start: Start::Xavier,
        seed: Seed::new(11),
    }
}

fn learner(plan: OfflinePlan) -> Offline {
    Offline::new(plan).expect("a good plan")
}

/// One step; `None` at the end.
fn step(learner: &mut Offline, games_a_job: u64, workers: usize) -> Option<Step> {
    let jobs = learner.ask(games_a_job, workers)?;
    let run = |job: Job| job.run(&Blobs::default(), &Cancel::default()).expect("a result");
    learner.tell(jobs.into_iter().map(run).collect()).expect("results of the right kind")
}

fn value(step: &Step, name: &str, of: &str) -> Option<f64> {
    step.figures.iter().find(|figure| figure.name == name && figure.of == of).map(|figure| figure.value)
}

#[test]
fn samples_first_then_training() {
    let mut learner = learner(plan());
    assert_eq!(learner.steps(), 6);
    let steps: Vec<Step> = std::iter::from_fn(|| step(&mut learner, 4, 2)).collect();
    assert_eq!(steps.iter().map(|step| step.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    let states: Vec<f64> = steps.iter().filter_map(|step| value(step, "states", "samples")).collect();
    assert!(states.len() == 3 && states.is_sorted() && states[0] > 20.0, "{states:?}");
    assert_eq!((learner.state.played.len(), steps[2].best.len(), steps[3].best.len()), (26, 0, 2));
    for part in ["training", "validation"] {
        let error = |step: &Step| value(step, "mse", &format!("structure=25-4-1 sigmoid sigmoid part={part}"));
        assert!(error(&steps[5]).is_some_and(|error| error > 0.0 && error < 0.3), "{:?}", steps[5].figures);
        let constant = |step: &Step| value(step, "mse", &format!("structure=constant part={part}"));
        assert!(constant(&steps[5]).is_some_and(|error| error > 0.0 && error < 0.25), "{:?}", steps[5].figures);
        assert_eq!(constant(&steps[3]), constant(&steps[5]), "it learns nothing");
    }
    let counts = learner.state.fits[0].counts;
    assert_eq!(counts.iter().sum::<u64>(), states[2] as u64);
    assert_eq!(counts, learner.state.fits[1].counts, "all structures see the same samples");
    let Genome::Weights(best) = &steps[5].best[0] else { panic!("weights") };
    let errors = [0, 1].map(|structure: usize| learner.state.fits[structure].errors[1]);
    assert_eq!(best[0], if errors[0] <= errors[1] { 0.0 } else { 1.0 });
}

#[test]
fn the_cut_into_jobs_changes_nothing() {
    let saved = [(1, 1), (1000, 1), (3, 4)].map(|(games_a_job, workers)| {
        let mut learner = learner(rich_plan());
        while step(&mut learner, games_a_job, workers).is_some() {}
        learner.save()
    });
    assert!(saved[0] == saved[1] && saved[1] == saved[2]);
}

#[test]
fn every_step_resumes_to_the_bit() {
    [plan(), rich_plan()].into_iter().for_each(resumes_to_the_bit);
}

fn resumes_to_the_bit(plan: OfflinePlan) {
    let mut through = learner(plan.clone());
    loop {
        let mut resumed = learner(plan.clone());
        resumed.restore(&through.save()).expect("its own state");
        assert_eq!(resumed.positions, through.positions);
        // Work that was out when the state was saved is asked for again.
        let lost = resumed.ask(5, 1);
        resumed.restore(&through.save()).expect("its own state");
        let (one, other) = (step(&mut through, 7, 1), step(&mut resumed, 2, 3));
        assert_eq!(lost.is_none(), one.is_none());
        let shown = |step: Option<Step>| step.map(|step| (step.number, step.figures, step.best));
        assert_eq!(shown(one.clone()), shown(other));
        assert_eq!(through.save(), resumed.save());
        if one.is_none() {
            break;
        }
    }
}

#[test]
fn samples_can_be_taken_over_by_other_structures() {
    let mut first = learner(plan());
    (0..3).for_each(|_| drop(step(&mut first, 100, 1)));
    let others = OfflinePlan { structures: vec![structure(&[3, 1], Activation::Tanh)], ..plan() };
    let mut second = learner(others.clone());
    second.restore(&first.save()).expect("samples");
    assert_eq!(step(&mut second, 100, 1).map(|step| step.number), Some(4));
    // Networks cannot.
    step(&mut first, 100, 1);
    assert!(
        learner(others).restore(&first.save()).is_err_and(
            |reason| reason.contains("learnt from already; only a state before that takes other structures")
        )
    );
    let longer = OfflinePlan { games: 46, ..plan() };
    assert!(learner(longer).restore(&first.save()).is_err_and(|reason| reason.contains("whole steps")));
    assert!(learner(plan()).restore(b"nothing").is_err());
}

#[test]
fn each_part_of_training_makes_a_difference() {
    let weights = |plan: OfflinePlan| {
        let mut learner = learner(plan);
        while step(&mut learner, 100, 1).is_some() {}
        learner.state.fits[0].weights.clone()
    };
    let rich = rich_plan();
    let minibatch = Training { minibatch: 8, ..rich.training.clone() };
    let momentum = Training { optimiser: OptimiserName::Momentum, ..rich.training.clone() };
    let plans = [
        OfflinePlan { symmetries: false, ..rich.clone() },
        OfflinePlan { judge: None, ..rich.clone() },
        OfflinePlan { judge: Some((judge(1), 0.25)), ..rich.clone() },
        OfflinePlan { judge: Some((judge(2), 0.5)), ..rich.clone() },
        OfflinePlan { training: minibatch, ..rich.clone() },
        OfflinePlan { training: momentum, ..rich.clone() },
        rich,
    ];
    let found = plans.map(weights);
    for (index, weights) in found.iter().enumerate() {
        assert!(!weights.is_empty() && !found[..index].contains(weights), "{index}");
    }
}

#[test]
fn positions_are_judged_between_games_and_training() {
    let mut learner = learner(rich_plan());
    assert_eq!((learner.steps(), learner.first_measurable()), (16, 14));
    let steps: Vec<Step> = std::iter::from_fn(|| step(&mut learner, 100, 3)).collect();
    assert_eq!(steps.iter().map(|step| step.number).collect::<Vec<_>>(), (1..=16).collect::<Vec<_>>());
    let means: Vec<f64> = steps.iter().filter_map(|step| value(step, "opinion", "samples")).collect();
    assert!(means.len() == 10 && means.iter().all(|mean| (0.0..=1.0).contains(mean)), "{means:?}");
    assert_eq!(learner.state.opinions.len(), learner.positions.len());
    let ends = learner.state.opinions.iter().filter(|opinion| opinion.is_none()).count();
    assert!((1..=26).contains(&ends), "{ends} positions that the rules end, in 26 games");
}

#[test]
fn opinions_belong_to_a_judge_and_to_games() {
    let mut first = learner(rich_plan());
    (0..5).for_each(|_| drop(step(&mut first, 100, 2)));
    let state = first.save();
    let refused = |plan: OfflinePlan| learner(plan).restore(&state).expect_err("another judge or other games");
    assert!(
        refused(OfflinePlan { judge: Some((judge(2), 0.5)), ..rich_plan() })
            .contains("judged already; only a state before that takes another judge")
    );
    assert!(refused(OfflinePlan { judge: None, ..rich_plan() }).contains("other judge"));
    assert!(refused(OfflinePlan { games: 40, batch: 26, ..rich_plan() }).contains("judged already"));
    assert!(refused(OfflinePlan { rules: "boardspace".into(), ..rich_plan() }).contains("other rules"));
    let given = first.state.played.first(2);
    assert!(refused(OfflinePlan { given, ..rich_plan() }).contains("other games of a file"));
    // How much they weigh may change, and before there are any, everything may.
    assert!(learner(OfflinePlan { judge: Some((judge(1), 0.1)), ..rich_plan() }).restore(&state).is_ok());
    let mut fresh = learner(plan());
    (0..3).for_each(|_| drop(step(&mut fresh, 100, 2)));
    let mut judged = learner(rich_plan());
    judged.restore(&fresh.save()).expect("games alone");
    assert_eq!(step(&mut judged, 100, 1).map(|step| step.number), Some(4));
}

/// Whoever forks a run that has begun to train may change rates, but nothing that the networks hang on.
#[test]
fn training_goes_on_in_the_same_way_or_not_at_all() {
    let mut first = learner(rich_plan());
    (0..14).for_each(|_| drop(step(&mut first, 100, 2)));
    assert!(!first.state.fits.is_empty());
    let state = first.save();
    let restored = |plan: OfflinePlan| learner(plan).restore(&state);
    let trained = |change: &dyn Fn(&mut Training)| {
        let mut plan = rich_plan();
        change(&mut plan.training);
        restored(plan)
    };
    assert_eq!(trained(&|training| training.stages = vec![Stage::at(0.5, 5)]), Ok(()));
    assert_eq!(trained(&|training| training.minibatch = 9), Ok(()));
    for optimiser in [OptimiserName::Sgd, OptimiserName::Momentum] {
        let refused = trained(&|training| training.optimiser = optimiser).expect_err("another optimiser");
        assert!(refused.contains("another optimiser"), "{refused}");
    }
    for judge in [None, Some((judge(2), 0.5))] {
        let refused = restored(OfflinePlan { judge, ..rich_plan() }).expect_err("another judge");
        assert!(refused.contains("learnt from already; only a state before that takes another judge"), "{refused}");
    }
    let mut turned = rich_plan();
    turned.structures[0] = structure(&[4, 1], Activation::Tanh);
    assert!(restored(turned).expect_err("another network").contains("other structures"));
    // Plain descent remembers nothing that the others could go on from.
    let mut plain = learner(plan());
    (0..5).for_each(|_| drop(step(&mut plain, 100, 2)));
    let adam = Training { optimiser: OptimiserName::Adam, ..plan().training };
    assert!(learner(OfflinePlan { training: adam, ..plan() }).restore(&plain.save()).is_err());
}

/// Games of a file count like games that were played: the table does not care where they come from.
#[test]
fn given_games_teach_the_same() {
    let mut playing = learner(plan());
    while step(&mut playing, 100, 1).is_some() {}
    let given = playing.state.played.clone();
    let mut reading = learner(OfflinePlan { given, games: 0, ..plan() });
    assert_eq!(reading.steps(), 3);
    while step(&mut reading, 100, 1).is_some() {}
    assert_eq!(reading.state.fits, playing.state.fits);
}

#[test]
fn what_grows_beyond_all_bounds_is_left_behind() {
    let wild = structure(&[30, 1], Activation::Linear);
    let training = training(&[Stage::at(10.0, 5)]);
    let mut learner = learner(OfflinePlan { structures: vec![wild, plan().structures.remove(0)], training, ..plan() });
    let steps: Vec<Step> = std::iter::from_fn(|| step(&mut learner, 100, 1)).collect();
    let last = &steps[steps.len() - 1];
    assert_eq!((steps.len(), last.best.len()), (6, 1));
    assert_eq!(value(last, "diverged", "structure=25-30-1 linear linear"), Some(1.0));
}

/// The time of all is that of a few games and of a step of training with them, multiplied.
#[test]
fn what_is_tried_out_stands_for_sampling_and_training() {
    let run = |probe: &Probe| probe.job.run(&Blobs::default(), &Cancel::default()).expect("a result");
    let mut playing = learner(plan());
    let probes = playing.probes();
    assert_eq!((probes.len(), probes[0].times), (1, 6.5), "4 of 26 games");
    let sampled: Vec<JobResult> = probes.iter().map(run).collect();
    let further = playing.further_probes(&sampled);
    // 2 of 5 cycles, 4 of 26 games, both structures.
    assert_eq!(further.iter().map(|probe| probe.times).collect::<Vec<_>>(), [2.5 * 6.5; 2]);
    assert!(further.iter().all(|probe| matches!(run(probe), JobResult::Fit(_))));
    assert!(playing.further_probes(&[]).is_empty(), "nothing was sampled");
    // Games of a file need no sampling.
    while step(&mut playing, 100, 1).is_some() {}
    let given = playing.state.played.clone();
    let mut reading = learner(OfflinePlan { given, games: 0, ..plan() });
    let probes = reading.probes();
    assert_eq!(probes.iter().map(|probe| probe.times).collect::<Vec<_>>(), [2.5 * 6.5; 2]);
    let results: Vec<JobResult> = probes.iter().map(run).collect();
    assert!(reading.further_probes(&results).is_empty());
}

/// An evaluator starts from its own weights, and goes from there where its judge's opinions lead, as it does from zero.
#[test]
fn an_evaluator_learns_its_weights() {
    let body = Body::Linear { evaluator: "mia3".into() };
    let own = match body.zero::<Loa<5>>() {
        Ok(Genome::Weights(weights)) => weights,
        other => panic!("{other:?}"),
    };
    let structure = |first: Vec<f32>| Structure {
        name: "mia3".into(),
        shape: sum_of_features(own.len()),
        body: body.clone(),
        first: Some(first),
    };
    let learnt = |first: Vec<f32>, rate: f32| {
        let training = Training { optimiser: OptimiserName::Adam, minibatch: 32, ..training(&[Stage::at(rate, 200)]) };
        let judge = Judge { player: "alphabeta:depth=1,eval=mia3".into(), scale: 549 };
        let plan = OfflinePlan {
            structures: vec![structure(first)],
            games: 60,
            judge: Some((judge, 1.0)),
            symmetries: true,
            cycles_a_step: 200,
            training,
            ..plan()
        };
        let mut learner = learner(plan);
        let last = std::iter::from_fn(|| step(&mut learner, 100, 1)).last().expect("steps");
        let error = value(&last, "mse", "structure=mia3 part=validation").expect("an error");
        (last.best[0].clone(), error)
    };
    // Without any learning it is what it was.
    let (same, error) = learnt(own.clone(), 1e-9);
    let file = |genome: &Genome| Body::OneOf(vec![body.clone()]).file::<Loa<5>>(genome, "").expect("a file").1;
    assert_eq!(file(&same), body.file::<Loa<5>>(&Genome::Weights(own.clone()), "").expect("a file").1);
    // The judge sees one ply more, and from zero the same is learnt as from its own weights.
    let (tuned, tuned_error) = learnt(own.clone(), 0.02);
    let (_, other_error) = learnt(vec![0.0; own.len()], 0.02);
    assert!(
        tuned_error < error && (tuned_error - other_error).abs() < 0.1 * tuned_error,
        "{error} {tuned_error} {other_error}"
    );
    assert_ne!(file(&tuned), file(&same));
}
