//! Secrets that their first bytes tell: a table of prefixes with what follows them, and JSON web
//! tokens.
//!
//! Lengths and bytes are those their makers document.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use crate::guard::chars::{
    Chars, begins, begins_alone, is_mixed, is_placeholder, is_random, stands,
};

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
    /// What else it must be.
    check: Check,
}

/// How much a prefix says by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Enough, unless a stand-in follows.
    Known,
    /// It is a common word: what follows must look drawn at random.
    Random,
    /// It ends longer names, too, or stands in any base64: nothing of these may be around it.
    Alone,
}

impl Prefix {
    /// The secret that begins at `at`.
    pub(super) fn find(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let rest = text.get(at..)?.strip_prefix(self.prefix.as_bytes())?;
        let length = self.then.run(rest, self.most);
        let fits = (self.least..=self.most).contains(&length);
        let body = &rest[..length];
        let is_alone = || begins_alone(text, at) && !rest.get(length).is_some_and(is_of_base64);
        let is_one = fits
            && match self.check {
                Check::Known => begins(text, at) && !is_stand_in(body),
                Check::Random => begins(text, at) && is_random(body),
                Check::Alone => is_alone() && (is_random(body) || is_mixed(body)),
            };
        is_one.then(|| at..at + self.prefix.len() + length)
    }
}

fn is_of_base64(byte: &u8) -> bool {
    Chars::Base64.has(*byte) || *byte == b'_'
}

/// Whether `body` stands for a secret in documentation: words, or one letter repeated.
fn is_stand_in(body: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let different: BTreeSet<u8> = body.iter().map(u8::to_ascii_lowercase).collect();
    different.len() < 4 || (body.iter().all(is_word) && is_placeholder(body))
}

macro_rules! prefixes {
    ($($label:literal: $($prefix:literal $chars:ident $least:literal..=$most:literal $($check:ident)?),+;)+) => {
        /// Secrets that a prefix tells.
        pub(super) const PREFIXES: &[Prefix] = &[
            $($(Prefix {
                label: $label,
                prefix: $prefix,
                then: Chars::$chars,
                least: $least,
                most: $most,
                check: prefixes!(@ $($check)?),
            },)+)+
        ];
    };
    (@ random) => { Check::Random };
    (@ alone) => { Check::Alone };
    (@) => { Check::Known };
}

prefixes! {
    "aws access key": "AKIA" Upper 16..=16, "ASIA" Upper 16..=16, "ABIA" Upper 16..=16, "ACCA" Upper 16..=16;
    "bedrock key": "ABSK" Base64 100..=400 alone, "bedrock-api-key-" Base64 100..=4000;
    "google api key": "AIza" Url 35..=35, "AQ.Ab8RN6" Url 30..=100;
    "google oauth secret": "GOCSPX-" Url 20..=40, "ya29." Dotted 30..=1024;
    "google refresh token": "1//0" Url 40..=200 alone;
    "alibaba access key": "LTAI" Alnum 12..=20 alone;
    "tencent access key": "AKID" Alnum 32..=32 alone;
    "github token": "ghp_" Alnum 36..=255, "gho_" Alnum 36..=255, "ghu_" Alnum 36..=255,
        "ghs_" Alnum 36..=255, "ghr_" Alnum 36..=255, "github_pat_" Word 36..=255;
    "gitlab token": "glpat-" Dotted 20..=300, "gldt-" Url 20..=300, "glrt-" Dotted 20..=300,
        "glcbt-" Url 20..=300, "glptt-" Url 20..=300, "glft-" Url 20..=300, "glsoat-" Url 20..=300,
        "glimt-" Url 20..=300, "glagent-" Url 20..=300, "gloas-" Url 20..=300,
        "glffct-" Url 20..=300, "GR1348941" Url 20..=50;
    "atlassian token": "ATATT3" Url 60..=400, "ATCTT3" Url 60..=400, "ATBB" Alnum 32..=32 alone;
    "slack token": "xoxb-" Url 10..=300 random, "xoxp-" Url 10..=300 random,
        "xoxa-" Url 10..=300 random, "xoxc-" Url 10..=300 random, "xoxd-" Percent 40..=250 random,
        "xoxo-" Url 10..=300 random, "xoxr-" Url 10..=300 random, "xoxs-" Url 10..=300 random,
        "xoxe-" Url 10..=300 random, "xoxe.xoxp-" Url 10..=300 random, "xapp-" Url 20..=300 random;
    "stripe key": "sk_live_" Alnum 16..=255, "rk_live_" Alnum 16..=255, "pk_live_" Alnum 16..=255,
        "sk_test_" Alnum 16..=255, "rk_test_" Alnum 16..=255, "sk_org_live_" Alnum 16..=255,
        "sk_org_test_" Alnum 16..=255, "whsec_" Base64 32..=255;
    "paypal token": "access_token$production$" Dollar 49..=49, "access_token$sandbox$" Dollar 49..=49,
        "A21AA" Url 70..=150 alone;
    "square token": "sq0atp-" Url 22..=60, "sq0csp-" Url 43..=60, "EAAA" Url 60..=60 alone;
    "razorpay key": "rzp_live_" Alnum 14..=14, "rzp_test_" Alnum 14..=14;
    "mollie key": "live_" Alnum 30..=30 alone;
    "flutterwave key": "FLWSECK-" Url 30..=50, "FLWSECK_TEST-" Url 30..=50;
    "paddle key": "pdl_live_apikey_" Word 53..=53, "pdl_sdbx_apikey_" Word 53..=53;
    "shopify token": "shpat_" Alnum 32..=32, "shpss_" Alnum 32..=32, "shpca_" Alnum 32..=32;
    "anthropic key": "sk-ant-" Url 20..=300;
    "openrouter key": "sk-or-v1-" Hex 40..=64;
    "langfuse key": "sk-lf-" Url 36..=36;
    "openai key": "sk-proj-" Url 20..=300, "sk-svcacct-" Url 20..=300, "sk-admin-" Url 20..=300,
        "sk-None-" Url 20..=300, "sk-" Alnum 20..=255 random;
    "hugging face token": "hf_" Alnum 30..=60, "api_org_" Alnum 34..=34;
    "groq key": "gsk_" Alnum 40..=64;
    "xai key": "xai-" Alnum 60..=100;
    "cerebras key": "csk-" Alnum 48..=48 random;
    "pinecone key": "pcsk_" Word 50..=80;
    "langsmith key": "lsv2_pt_" Word 43..=43, "lsv2_sk_" Word 43..=43;
    "tavily key": "tvly-" Url 20..=60 random;
    "fireworks key": "fw_" Alnum 22..=28 alone;
    "voyage key": "pa-" Url 43..=43 alone;
    "jina key": "jina_" Word 55..=65;
    "elevenlabs key": "sk_" Hex 48..=48 alone;
    "together key": "tgp_v1_" Url 43..=43;
    "replicate token": "r8_" Alnum 37..=40;
    "perplexity key": "pplx-" Alnum 40..=60;
    "nvidia key": "nvapi-" Url 50..=100;
    "npm token": "npm_" Alnum 36..=36;
    "pypi token": "pypi-" Url 50..=400;
    "rubygems key": "rubygems_" Hex 48..=48;
    "crates.io token": "cio" Alnum 32..=32 alone;
    "docker token": "dckr_pat_" Url 27..=40, "dckr_oat_" Url 27..=40;
    "sendgrid key": "SG." Dotted 60..=75;
    "mailgun key": "key-" Hex 32..=32 alone;
    "twilio key": "SK" Hex 32..=32 alone;
    "digitalocean token": "dop_v1_" Hex 64..=64, "doo_v1_" Hex 64..=64, "dor_v1_" Hex 64..=64;
    "databricks token": "dapi" Hex 32..=32 alone;
    "heroku key": "HRKU-" Url 36..=70;
    "doppler token": "dp.pt." Alnum 40..=44, "dp.st." Dotted 40..=80, "dp.ct." Alnum 40..=44,
        "dp.sa." Alnum 40..=44;
    "vault token": "hvs." Url 24..=300, "hvb." Url 24..=300;
    "linear key": "lin_api_" Alnum 40..=40;
    "notion token": "ntn_" Alnum 40..=60, "secret_" Alnum 43..=43 random;
    "postman key": "PMAK-" Url 50..=64;
    "grafana token": "glsa_" Word 40..=50, "glc_" Base64 32..=400;
    "new relic key": "NRAK-" Upper 27..=27;
    "dynatrace token": "dt0c01." Dotted 89..=89;
    "supabase token": "sbp_" Hex 40..=40;
    "sentry token": "sntrys_" Base64 40..=400, "sntryu_" Hex 64..=64;
    "figma token": "figd_" Url 40..=60;
    "tailscale key": "tskey-" Url 20..=100 random;
    "age key": "AGE-SECRET-KEY-1" Upper 58..=58;
}

/// A head that is a JSON object in base64, then a body that is one and a signature; or, where it is
/// encrypted, a key that may be empty, and three more parts of which the first and last are short.
pub(super) fn json_web_token(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_first = stands(text, at, "eyJ") && begins(text, at) && !is_within_one(&text[..at]);
    let head = is_first.then(|| part(text, at, 17..=2000)).flatten()?;
    let end = match stands(text, head, ".eyJ") {
        true => after_dot(text, after_dot(text, head, 10..=8000)?, 16..=2000),
        false => encrypted(text, head),
    };
    Some(at..end?)
}

/// Whether `text` ends within what may be a token that was looked at already.
fn is_within_one(text: &[u8]) -> bool {
    let run = text.iter().rev().take(64).take_while(|byte| Chars::Url.has(**byte)).count();
    text[text.len() - run..].windows(3).any(|part| part == b"eyJ")
}

/// The end of an encrypted token whose head ends at `head`.
fn encrypted(text: &[u8], head: usize) -> Option<usize> {
    let key = after_dot(text, head, 0..=2000)?;
    let vector = after_dot(text, key, 16..=22)?;
    let body = after_dot(text, vector, 1..=12_000)?;
    after_dot(text, body, 16..=43)
}

/// The end of a part of a token, where a dot stands before it.
fn after_dot(text: &[u8], at: usize, length: RangeInclusive<usize>) -> Option<usize> {
    (text.get(at) == Some(&b'.')).then(|| part(text, at + 1, length)).flatten()
}

/// The end of a run of so many bytes of a token.
pub(super) fn part(text: &[u8], at: usize, length: RangeInclusive<usize>) -> Option<usize> {
    let run = Chars::Url.run(text.get(at..)?, *length.end());
    length.contains(&run).then_some(at + run)
}

/// Whether a secret that its prefix tells begins at `at`: it is then found for itself, with a
/// better label.
pub(super) fn is_told(text: &[u8], at: usize) -> bool {
    PREFIXES.iter().any(|prefix| prefix.find(text, at).is_some())
        || json_web_token(text, at).is_some()
}
