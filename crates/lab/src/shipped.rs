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
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../players");
        for entry in fs::read_dir(&folder).expect("the folder players") {
            let name = entry.expect("an entry").file_name().into_string().expect("a name");
            let content = fs::read(folder.join(&name)).expect("a file");
            for way in ["players", "../players", "../../players"] {
                assert_eq!(player_file(&format!("{way}/{name}")), Some(content.as_slice()), "{way}/{name}");
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
