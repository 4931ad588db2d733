//! Files that the program carries: everything in the project's folder `players/`.

use include_dir::{Dir, include_dir};

static PLAYERS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../players");

/// The shipped file that a name means: `players/NAME`, as any folder of the project sees it (`../../players/NAME`). Only the text of
/// the name is looked at, never the disk.
pub fn player_file(name: &str) -> Option<&'static [u8]> {
    let from_root = name.trim_start_matches("../");
    Some(PLAYERS.get_file(from_root.strip_prefix("players/")?)?.contents())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn everything_in_the_folder_is_carried() {
        let mut folders = vec!["players".to_string()];
        while let Some(folder) = folders.pop() {
            for entry in
                fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&folder)).expect("a folder")
            {
                let path = entry.expect("an entry").path();
                let name = format!("{folder}/{}", path.file_name().and_then(|name| name.to_str()).expect("a name"));
                if path.is_dir() {
                    folders.push(name);
                    continue;
                }
                let content = fs::read(path).expect("a file");
                for way in ["", "../", "../../"] {
                    assert_eq!(player_file(&format!("{way}{name}")), Some(content.as_slice()), "{way}{name}");
                }
            }
        }
    }

    #[test]
    fn nothing_else_is() {
        let outside = ["", "players", "players/", "players/../Cargo.toml", "../../players/../README.md", "/etc/passwd"];
        let elsewhere =
            ["tdloa.safetensors", "/players/tdloa.safetensors", "x/players/tdloa.safetensors", "players/none"];
        for name in outside.into_iter().chain(elsewhere) {
            assert_eq!(player_file(name), None, "{name}");
        }
    }
}
