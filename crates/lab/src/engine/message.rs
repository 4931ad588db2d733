//! Lines of the engine protocol: a word, then `name=value` pairs, values in quotes where they have spaces.

/// A line taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub command: String,
    pub arguments: Vec<(String, String)>,
}

impl Message {
    /// Reads a line. `Ok(None)` for an empty one.
    pub fn parse(line: &str) -> Result<Option<Message>, String> {
        let mut words = Vec::new();
        let mut letters = line.trim().chars().peekable();
        while letters.peek().is_some() {
            let mut word = String::new();
            let mut quoted = false;
            for letter in letters.by_ref() {
                match letter {
                    '"' => quoted = !quoted,
                    letter if letter.is_whitespace() && !quoted => break,
                    letter => word.push(letter),
                }
            }
            if quoted {
                return Err("a quote is not closed".into());
            }
            if !word.is_empty() {
                words.push(word);
            }
        }
        let mut words = words.into_iter();
        let Some(command) = words.next() else { return Ok(None) };
        let pair = |word: String| match word.split_once('=') {
            Some((name, value)) => (name.to_string(), value.to_string()),
            None => (word, String::new()),
        };
        Ok(Some(Message { command, arguments: words.map(pair).collect() }))
    }

    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A value as the protocol writes it.
pub(super) fn quoted(text: &str) -> String {
    let clean: String =
        text.chars().map(|letter| if letter.is_control() || letter == '"' { '\'' } else { letter }).collect();
    if clean.is_empty() || clean.contains(char::is_whitespace) { format!("\"{clean}\"") } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_pairs_and_quotes() {
        let message = Message::parse(" pos  pos=\"a b\" moves=\"1 2\" go \n").unwrap().unwrap();
        assert_eq!(
            (message.command.as_str(), message.get("pos"), message.get("moves")),
            ("pos", Some("a b"), Some("1 2"))
        );
        assert_eq!((message.get("go"), message.get("x")), (Some(""), None));
        assert_eq!(Message::parse("  \n"), Ok(None));
        assert!(Message::parse("pos pos=\"a").is_err());
        assert_eq!(quoted("a \"b\"\n"), "\"a 'b''\"");
    }
}
