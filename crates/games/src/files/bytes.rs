//! The bytes of a file, one after the other, with their place.

use std::io::{self, Read};

use lanista_core::ParseError;

/// How much is read at a time.
const CHUNK: usize = 1 << 13;
/// What some editors put at the start of UTF-8 files.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A place in a file. Lines and columns count from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub line: u64,
    /// Counts characters, taking the file for UTF-8.
    pub column: u64,
}

impl Place {
    /// An error here.
    pub fn error(self, message: impl Into<String>) -> ParseError {
        ParseError::at(self.line, self.column, message)
    }
}

/// A file, read byte by byte. A failure to read looks like the end; the caller asks for it afterwards
/// ([`Bytes::take_failure`]), so that parsers need not.
pub(crate) struct Bytes<'a> {
    input: Box<dyn Read + 'a>,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    place: Place,
    finished: bool,
    failure: Option<io::Error>,
}

impl<'a> Bytes<'a> {
    /// The start of a file, after its byte order mark.
    pub fn new(input: Box<dyn Read + 'a>) -> Bytes<'a> {
        let mut bytes = Bytes {
            input,
            buffer: vec![0; CHUNK].into_boxed_slice(),
            at: 0,
            end: 0,
            place: Place { line: 1, column: 1 },
            finished: false,
            failure: None,
        };
        while bytes.end < BYTE_ORDER_MARK.len() && bytes.read_more() {}
        if bytes.buffer[..bytes.end].starts_with(BYTE_ORDER_MARK) {
            bytes.at = BYTE_ORDER_MARK.len();
        }
        bytes
    }

    /// The place of the next byte.
    #[inline]
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next byte.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        if self.at == self.end {
            (self.at, self.end) = (0, 0);
            if !self.read_more() {
                return None;
            }
        }
        Some(self.buffer[self.at])
    }

    /// Takes the next byte.
    #[inline]
    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.advance(1);
        Some(byte)
    }

    /// Takes the next byte if it is this one.
    #[inline]
    pub fn next_if(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// Passes over bytes as long as they are `skipped`. Returns the first other one, untaken.
    #[inline]
    pub fn skip_while(&mut self, skipped: impl Fn(u8) -> bool) -> Option<u8> {
        loop {
            let byte = self.peek()?;
            if !skipped(byte) {
                return Some(byte);
            }
            self.advance(self.run(&skipped));
        }
    }

    /// Passes over white space. Returns the first other byte, untaken.
    #[inline]
    pub fn skip_white(&mut self) -> Option<u8> {
        self.skip_while(|byte| byte.is_ascii_whitespace())
    }

    /// Passes over the rest of the line, up to its end.
    pub fn skip_line(&mut self) {
        self.skip_while(|byte| byte != b'\n' && byte != b'\r');
    }

    /// Takes bytes into `word`, replacing its content, as long as they `belong` to it. Fails if they are too many.
    #[inline]
    pub fn word(&mut self, word: &mut Vec<u8>, longest: usize, belongs: impl Fn(u8) -> bool) -> Result<(), ParseError> {
        let place = self.place;
        word.clear();
        while self.peek().is_some_and(&belongs) {
            if word.len() == longest {
                return Err(too_long(word, longest, place));
            }
            let count = self.run(&belongs).min(longest - word.len());
            word.extend_from_slice(&self.buffer[self.at..self.at + count]);
            self.advance(count);
        }
        Ok(())
    }

    /// How many of the bytes at hand `belong`, up to the first that does not.
    #[inline]
    fn run(&self, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = &self.buffer[self.at..self.end];
        rest.iter().position(|&byte| !belongs(byte)).unwrap_or(rest.len())
    }

    /// Goes on by `count` bytes, which are at hand.
    #[inline]
    fn advance(&mut self, count: usize) {
        let mut place = self.place;
        for &byte in &self.buffer[self.at..self.at + count] {
            if byte == b'\n' {
                place = Place { line: place.line + 1, column: 1 };
            } else {
                // The bytes inside a UTF-8 character do not count.
                place.column += u64::from(byte & 0xc0 != 0x80);
            }
        }
        self.place = place;
        self.at += count;
    }

    /// The failure that ended the file early, if one did.
    pub fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Reads behind what is there. `false` at the end.
    fn read_more(&mut self) -> bool {
        while !self.finished {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.finished = true,
                Ok(count) => {
                    self.end += count;
                    return true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.finished = true;
                    self.failure = Some(error);
                }
            }
        }
        false
    }
}

/// Appends a byte to a text that began at `place`, unless it gets too long.
#[inline]
pub(crate) fn push_limited(text: &mut Vec<u8>, byte: u8, longest: usize, place: Place) -> Result<(), ParseError> {
    if text.len() == longest {
        return Err(too_long(text, longest, place));
    }
    text.push(byte);
    Ok(())
}

#[cold]
fn too_long(text: &[u8], longest: usize, place: Place) -> ParseError {
    place.error(format!("{:?}: longer than {longest} bytes", shortened(&decoded(text))))
}

/// UTF-8 as text; anything else as Latin-1, byte by byte.
pub(crate) fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The start of a text that came from outside, for messages.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut start: String = text.chars().take(MOST).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}
