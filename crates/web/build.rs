//! Puts the built application (`ui/dist`) into the binary. Without it the server says how to build it.

use std::path::Path;
use std::{env, fs, io};

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let built = Path::new(&root).join("../../ui/dist");
    let inside = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("application");
    if inside.exists() {
        fs::remove_dir_all(&inside)?;
    }
    fs::create_dir_all(&inside)?;
    if built.is_dir() {
        copy(&built, &inside)?;
    }
    println!("cargo::rerun-if-changed={}", built.display());
    println!("cargo::rerun-if-changed=../../experiments");
    Ok(())
}
