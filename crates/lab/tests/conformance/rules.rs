//! Rules as text.

use lanista_core::{DrawRules, Game, Rules};

/// A preset is read by its name, with changes too; errors name what there is.
pub fn are_read_back<G: Game>(rules: &Rules<G>) {
    assert_eq!(G::rules(&rules.name).as_ref(), Ok(rules), "{}", G::ID);
    let same_name = G::presets().iter().filter(|preset| preset.name == rules.name).count();
    assert_eq!(same_name, 1, "{}: {}", G::ID, rules.name);
    assert!(!rules.name.contains([',', '=', ' ']) && !rules.about.is_empty(), "{}: {}", G::ID, rules.name);
    assert_eq!(G::rules("").as_ref(), Ok(&G::presets()[0]), "{}: the default", G::ID);

    let text = format!("{},ply-cap=7,repetition=5", rules.name);
    let changed = G::rules(&text).unwrap_or_else(|error| panic!("{}: {text}: {error}", G::ID));
    assert_eq!((changed.name.as_str(), changed.start), (text.as_str(), rules.start), "{}", G::ID);
    assert_eq!(changed.draws.ply_cap, Some(7), "{}: {text}", G::ID);
    assert_eq!(changed.draws.repetition.map(|rule| rule.count), Some(5), "{}: {text}", G::ID);
    assert_eq!(changed.draws.no_progress, rules.draws.no_progress, "{}: {text}", G::ID);
    assert_eq!(G::rules(&changed.name), Ok(changed.clone()), "{}: read back", G::ID);

    let unknown = G::rules("no-such-rules").expect_err("no such preset");
    assert!(unknown.message.contains(&rules.name), "{}: {unknown}", G::ID);
    let unknown = G::rules(&format!("{},colour=red", rules.name)).expect_err("no such parameter");
    let all = DrawRules::PARAMETERS.iter().map(|parameter| parameter.0);
    for name in all.chain(G::PARAMETERS.iter().map(|parameter| parameter.name)) {
        assert!(unknown.message.contains(name), "{}: {unknown} does not name {name}", G::ID);
        let text = format!("{name}=?");
        let error = G::rules(&text).expect_err("no parameter takes a question mark");
        assert!(error.message.contains(name), "{}: {text}: {error}", G::ID);
    }
    assert_eq!(unknown.column as usize, rules.name.chars().count() + 2, "{}: {unknown}", G::ID);
}
