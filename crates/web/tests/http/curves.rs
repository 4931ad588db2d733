//! Curves with more points than anybody can see.

use crate::house::House;
use crate::long_run::{figure, write_long_run};

const POINTS: u32 = 100_000;

#[test]
fn a_curve_of_100_000_points_is_thinned_out_and_keeps_its_extremes() {
    let house = House::open();
    let run = write_long_run(&house.folder.join("store.db"), POINTS);
    let curve = |query: &str| house.got(&format!("/api/runs/{run}/metrics?{query}"))["curves"][0].clone();
    let numbers = |curve: &serde_json::Value, axis: &str| -> Vec<f64> {
        curve[axis].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    for (query, most) in [("", 600), ("points=800", 800), ("points=1000000", 5000)] {
        let thin = curve(query);
        assert_eq!(thin["total"], POINTS);
        let (x, y) = (numbers(&thin, "x"), numbers(&thin, "y"));
        assert!(x.len() == y.len() && (most / 2..=most).contains(&x.len()), "{query}: {} points", x.len());
        assert_eq!((x[0], x[x.len() - 1]), (1.0, f64::from(POINTS)));
        assert!(y.contains(&2.0) && y.contains(&-1.0), "{query}: the extremes are gone");
        let is_measured = |(&x, &y): (&f64, &f64)| (y - figure(x as u32, POINTS)).abs() < 1e-12;
        assert!(x.iter().zip(&y).all(is_measured), "points are measured ones");
    }
    // A part of it shows all that is there.
    let part = curve("from=40000&to=40199&points=800");
    assert_eq!((numbers(&part, "x").len(), part["total"].as_u64()), (200, Some(200)));
}
