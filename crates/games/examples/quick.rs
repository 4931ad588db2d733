use lanista_core::*;
use lanista_games::{connect_four::*, draughts::*, loa::*};
use std::time::Instant;
fn p<G: Game>(d: u32) {
    let r = G::rules("").unwrap();
    for i in 1..=d {
        let t = Instant::now();
        let c = perft(&r.start, i);
        let s = t.elapsed().as_secs_f64();
        if i == d {
            println!("{} {} {:?} {:.1}M/s", G::ID, i, c, c.nodes as f64 / s / 1e6);
        } else {
            print!("{} ", c.leaves);
        }
    }
}
fn g<G: Game>(n: u64) {
    let r = G::rules("").unwrap();
    let mut rg = RandomGame::new(&r);
    let t = Instant::now();
    let mut plies = 0u64;
    let mut res = [0u64; 3];
    let mut s = Seed::new(1).stream();
    for _ in 0..n {
        let (e, p) = rg.play(r.start, &mut s);
        plies += p as u64;
        res[match e.outcome {
            Outcome::Win(Side::First) => 0,
            Outcome::Win(_) => 1,
            _ => 2,
        }] += 1;
    }
    let e = t.elapsed().as_secs_f64();
    println!(
        "{} games {:.0}/s mean {:.2} {:?}",
        G::ID,
        n as f64 / e,
        plies as f64 / n as f64,
        res.map(|x| x as f64 / n as f64)
    );
}
fn main() {
    let a = std::env::args().nth(1).unwrap_or_default();
    if a == "c4" {
        p::<ConnectFour>(10);
        return;
    }
    if a == "loa" {
        p::<Loa<8>>(5);
        return;
    }
    if a == "loa4" {
        p::<Loa<8>>(4);
        return;
    }
    if a == "dr" {
        p::<Draughts>(11);
        return;
    }
    if a == "gl" {
        g::<Loa<8>>(100000);
        return;
    }
    if a == "gc" {
        g::<ConnectFour>(8000000);
        return;
    }
    p::<Loa<4>>(5);
    p::<Loa<5>>(6);
    p::<Loa<6>>(5);
    p::<Loa<7>>(5);
    p::<Loa<8>>(5);
    p::<ConnectFour>(9);
    p::<Draughts>(11);
    g::<Loa<8>>(40000);
    g::<ConnectFour>(4000000);
    g::<Draughts>(200000);
}
