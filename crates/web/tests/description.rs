//! The description of the interface, from which the application's types are made, is what the code says.

use std::{env, fs};

#[test]
fn the_description_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/openapi.json");
    let now = lanista_web::description();
    if env::var_os("LANISTA_REGENERATE").is_some() {
        fs::write(path, &now).expect("the file can be written");
    }
    let kept = fs::read_to_string(path).expect("ui/openapi.json");
    assert!(kept == now, "ui/openapi.json is not what the code says; scripts/golden writes it anew");
}
