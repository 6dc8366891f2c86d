//! Secrets that their first bytes tell: a table of prefixes with what follows them, and JSON web
//! tokens.
//!
//! Lengths and bytes are those their makers document.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::guard::chars::{Chars, begins, is_placeholder, is_random, stands};

/// What a finding is called in marks, problems and counts.
pub(super) type Label = &'static str;

/// The longest secret, in bytes; what is longer is no secret of these shapes.
pub(super) const LONGEST: usize = 16 * 1024;

/// A prefix, then from `least` to `most` bytes.
#[derive(Clone, Copy)]
pub(super) struct Prefix {
    /// What it is.
    pub(super) label: Label,
    /// Its first bytes.
    pub(super) prefix: &'static str,
    then: Chars,
    least: usize,
    most: usize,
    /// Whether what follows must also look drawn at random, since the prefix is a common word.
    random: bool,
}

impl Prefix {
    /// The secret that begins at `at`.
    pub(super) fn find(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let rest = text.get(at..)?.strip_prefix(self.prefix.as_bytes())?;
        let length = self.then.run(rest, self.most);
        let fits = (self.least..=self.most).contains(&length) && begins(text, at);
        let is_one = |body: &[u8]| {
            if self.random { is_random(body) } else { !is_stand_in(body) }
        };
        (fits && is_one(&rest[..length])).then(|| at..at + self.prefix.len() + length)
    }
}

/// Whether `body` stands for a secret in documentation: words, or one letter repeated.
fn is_stand_in(body: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let different: BTreeSet<u8> = body.iter().map(u8::to_ascii_lowercase).collect();
    different.len() < 4 || (body.iter().all(is_word) && is_placeholder(body))
}

macro_rules! prefixes {
    ($($label:literal: $($prefix:literal $chars:ident $least:literal..=$most:literal $($random:ident)?),+;)+) => {
        /// Secrets that a prefix tells.
        pub(super) const PREFIXES: &[Prefix] = &[
            $($(Prefix {
                label: $label,
                prefix: $prefix,
                then: Chars::$chars,
                least: $least,
                most: $most,
                random: prefixes!(@ $($random)?),
            },)+)+
        ];
    };
    (@ random) => { true };
    (@) => { false };
}

prefixes! {
    "aws access key": "AKIA" Upper 16..=16, "ASIA" Upper 16..=16, "ABIA" Upper 16..=16, "ACCA" Upper 16..=16;
    "google api key": "AIza" Url 35..=35;
    "google oauth secret": "GOCSPX-" Url 20..=40, "ya29." Dotted 30..=1024;
    "github token": "ghp_" Alnum 36..=255, "gho_" Alnum 36..=255, "ghu_" Alnum 36..=255,
        "ghs_" Alnum 36..=255, "ghr_" Alnum 36..=255, "github_pat_" Word 36..=255;
    "gitlab token": "glpat-" Dotted 20..=300, "gldt-" Url 20..=300, "glrt-" Dotted 20..=300,
        "glcbt-" Url 20..=300, "glptt-" Url 20..=300, "glft-" Url 20..=300, "glsoat-" Url 20..=300,
        "glimt-" Url 20..=300, "glagent-" Url 20..=300;
    "atlassian token": "ATATT3" Url 60..=400, "ATBB" Alnum 32..=32 random;
    "slack token": "xoxb-" Url 10..=300 random, "xoxp-" Url 10..=300 random,
        "xoxa-" Url 10..=300 random, "xoxo-" Url 10..=300 random, "xoxr-" Url 10..=300 random,
        "xoxs-" Url 10..=300 random, "xoxe-" Url 10..=300 random, "xoxe.xoxp-" Url 10..=300 random,
        "xapp-" Url 20..=300 random;
    "stripe key": "sk_live_" Alnum 16..=255, "rk_live_" Alnum 16..=255, "pk_live_" Alnum 16..=255,
        "sk_test_" Alnum 16..=255, "rk_test_" Alnum 16..=255, "whsec_" Base64 32..=255;
    "square token": "sq0atp-" Url 22..=60, "sq0csp-" Url 43..=60;
    "shopify token": "shpat_" Alnum 32..=32, "shpss_" Alnum 32..=32, "shpca_" Alnum 32..=32;
    "anthropic key": "sk-ant-" Url 20..=300;
    "openrouter key": "sk-or-v1-" Hex 40..=64;
    "openai key": "sk-proj-" Url 20..=300, "sk-svcacct-" Url 20..=300, "sk-admin-" Url 20..=300,
        "sk-" Alnum 20..=255 random;
    "hugging face token": "hf_" Alnum 30..=60, "api_org_" Alnum 34..=34;
    "groq key": "gsk_" Alnum 40..=64;
    "xai key": "xai-" Alnum 60..=100;
    "replicate token": "r8_" Alnum 37..=40;
    "perplexity key": "pplx-" Alnum 40..=60;
    "nvidia key": "nvapi-" Url 50..=100;
    "npm token": "npm_" Alnum 36..=36;
    "pypi token": "pypi-" Url 50..=400;
    "rubygems key": "rubygems_" Hex 48..=48;
    "crates.io token": "cio" Alnum 32..=32 random;
    "docker token": "dckr_pat_" Url 27..=40, "dckr_oat_" Url 27..=40;
    "sendgrid key": "SG." Dotted 60..=75;
    "mailgun key": "key-" Hex 32..=32;
    "twilio key": "SK" Hex 32..=32;
    "digitalocean token": "dop_v1_" Hex 64..=64, "doo_v1_" Hex 64..=64, "dor_v1_" Hex 64..=64;
    "databricks token": "dapi" Hex 32..=32;
    "vault token": "hvs." Url 24..=300, "hvb." Url 24..=300;
    "linear key": "lin_api_" Alnum 40..=40;
    "notion token": "ntn_" Alnum 40..=60, "secret_" Alnum 43..=43 random;
    "postman key": "PMAK-" Url 50..=64;
    "grafana token": "glsa_" Word 40..=50, "glc_" Base64 32..=400;
    "new relic key": "NRAK-" Upper 27..=27;
    "supabase token": "sbp_" Hex 40..=40;
    "sentry token": "sntrys_" Base64 40..=400, "sntryu_" Hex 64..=64;
    "figma token": "figd_" Url 40..=60;
    "tailscale key": "tskey-" Url 20..=100 random;
    "age key": "AGE-SECRET-KEY-1" Upper 58..=58;
}

/// Three parts in base64, the first two of them JSON objects.
pub(super) fn json_web_token(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_first = stands(text, at, "eyJ") && begins(text, at);
    let head = is_first.then(|| part(text, at, 17..=2000)).flatten()?;
    let body = stands(text, head, ".eyJ").then(|| part(text, head + 1, 10..=8000)).flatten()?;
    let signature = (text.get(body) == Some(&b'.')).then(|| part(text, body + 1, 16..=2000));
    Some(at..signature.flatten()?)
}

/// The end of a run of so many bytes of a token.
pub(super) fn part(
    text: &[u8],
    at: usize,
    length: std::ops::RangeInclusive<usize>,
) -> Option<usize> {
    let run = Chars::Url.run(text.get(at..)?, *length.end());
    length.contains(&run).then_some(at + run)
}

/// Whether a secret that its prefix tells begins at `at`: it is then found for itself, with a
/// better label.
pub(super) fn is_told(text: &[u8], at: usize) -> bool {
    PREFIXES.iter().any(|prefix| prefix.find(text, at).is_some())
        || json_web_token(text, at).is_some()
}
