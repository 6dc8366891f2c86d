//! The secret in the addresses of one start.

use std::io;

/// Random bytes of a token.
const BYTES: usize = 16;

/// A secret that nobody knows who did not see the address: 128 bits from the operating system, in
/// hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token")
    }
}

impl Token {
    /// A fresh one.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `said` is the token; how long that takes tells nothing about how much of it is right.
    pub(super) fn is(&self, said: &str) -> bool {
        let pairs = self.0.bytes().zip(said.bytes());
        self.0.len() == said.len() && pairs.fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn only_the_token_is_the_token() {
        let (token, other) = (Token::new().expect("made"), Token::new().expect("made"));
        assert_eq!(token.as_str().len(), 32);
        assert!(token.is(token.as_str()));
        assert!(!token.is(other.as_str()) && !token.is("") && !token.is(&token.as_str()[1..]));
    }
}
