//! Files that come into `players/` or leave it are in the next build.

fn main() {
    println!("cargo::rerun-if-changed=../../players");
}
