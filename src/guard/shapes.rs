//! The shapes of secrets: a table of prefixes with what follows them, and a list of finders for
//! what a prefix does not tell.
//!
//! Lengths and bytes are those their makers document. A shape errs towards silence: hashes,
//! identifiers and words stay as they are.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::guard::assigned;
use crate::guard::chars::{Chars, begins, is_placeholder, is_random};
use crate::guard::homes;
use crate::guard::special;

/// What a finding is called in marks, problems and counts.
pub(super) type Label = &'static str;

/// How the mark begins that stands in the place of a secret.
pub const MARK: &str = "[redacted: ";

/// The longest secret, in bytes; what is longer is no secret of these shapes.
pub(super) const LONGEST: usize = 16 * 1024;

/// How far before its first byte a finder looks.
pub(super) const BEHIND: usize = 256;

/// One shape of secret.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// What it is.
    pub(super) label: Label,
    /// The first two bytes of what makes a place worth a look.
    anchors: &'static [&'static str],
    find: Find,
}

/// Looks at the place of an anchor; the bytes to replace.
type Finder = fn(&[u8], usize) -> Option<Range<usize>>;

#[derive(Clone, Copy)]
enum Find {
    Prefix(Prefix),
    By(Finder),
    /// The folder of the workspace.
    Workspace,
}

/// A prefix, then from `least` to `most` bytes.
#[derive(Clone, Copy)]
struct Prefix {
    label: Label,
    prefix: &'static str,
    then: Chars,
    least: usize,
    most: usize,
    /// Whether what follows must also look drawn at random, since the prefix is a common word.
    random: bool,
}

impl Prefix {
    fn find(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let rest = text.get(at..)?.strip_prefix(self.prefix.as_bytes())?;
        let length = self.then.run(rest, self.most);
        let fits = (self.least..=self.most).contains(&length) && begins(text, at);
        let is_one = |body: &[u8]| {
            if self.random { is_random(body) } else { !is_stand_in(body) }
        };
        (fits && is_one(&rest[..length])).then(|| at..at + self.prefix.len() + length)
    }
}

impl Shape {
    const fn by(label: Label, anchors: &'static [&'static str], find: Finder) -> Self {
        Self { label, anchors, find: Find::By(find) }
    }

    /// What stands in the place of such a secret: plain ASCII, without a quote, that is text in
    /// every format.
    pub(super) fn mark(&self) -> String {
        match self.label {
            homes::HOME => "~".to_owned(),
            homes::WORKSPACE => ".".to_owned(),
            label => format!("{MARK}{label}]"),
        }
    }

    /// Whether it is a folder of a machine: made relative, and no secret that leaked.
    pub(super) fn is_folder(&self) -> bool {
        matches!(self.label, homes::HOME | homes::WORKSPACE)
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
        const PREFIXES: &[Prefix] = &[
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

/// The beginnings of a number in base64: a bot's token begins with the number of its account.
const DISCORD: &[&str] = &["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];

/// Secrets that take more than a prefix. Of two that fit at one place the first counts.
const OTHERS: &[Shape] = &[
    Shape::by("private key", &["BE"], special::private_key),
    Shape::by("json web token", &["ey"], special::json_web_token),
    Shape::by("slack webhook", &["ho"], special::slack_webhook),
    Shape::by("discord webhook", &["ap"], special::discord_webhook),
    Shape::by("discord token", DISCORD, special::discord_token),
    Shape::by("telegram token", &[":A"], special::telegram_token),
    Shape::by("azure key", &["Ac", "Sh"], special::azure_key),
    Shape::by("azure signature", &["si"], special::azure_signature),
    Shape::by("bearer token", &["Be", "be", "BE"], special::bearer),
    Shape::by("basic credentials", &["Ba", "ba", "BA"], special::basic),
    Shape::by("url password", &["//"], special::url_password),
    Shape::by("aws secret key", assigned::ANCHORS, assigned::aws_secret),
    Shape::by("assigned secret", assigned::ANCHORS, assigned::secret),
    Shape::by(homes::HOME, &["/h", "/U", "/r", "\\U"], homes::home),
];

impl Default for Index {
    fn default() -> Self {
        Self::new(&[])
    }
}

/// Every shape, with a table from two bytes to those that may stand there.
pub(super) struct Index {
    shapes: Vec<Shape>,
    marks: Vec<String>,
    roots: Vec<String>,
    buckets: Vec<Vec<usize>>,
    pairs: Vec<u16>,
}

impl Index {
    /// The shapes, and `roots` as folders where the workspace lies.
    pub(super) fn new(roots: &[String]) -> Self {
        let workspace = Shape { label: homes::WORKSPACE, anchors: &[], find: Find::Workspace };
        let prefixed = |prefix: &Prefix| Shape {
            label: prefix.label,
            anchors: &[],
            find: Find::Prefix(*prefix),
        };
        let prefixed = PREFIXES.iter().map(prefixed);
        let others = OTHERS.iter().copied();
        let shapes: Vec<Shape> = std::iter::once(workspace).chain(prefixed).chain(others).collect();
        let mut index = Self {
            marks: shapes.iter().map(Shape::mark).collect(),
            roots: roots.iter().filter(|root| is_telling(root)).cloned().collect(),
            shapes: Vec::new(),
            buckets: vec![Vec::new()],
            pairs: vec![0; 65_536],
        };
        index.roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        for (at, shape) in shapes.iter().enumerate() {
            match shape.find {
                Find::Prefix(Prefix { prefix, .. }) => index.add(prefix, at),
                Find::By(_) => shape.anchors.iter().for_each(|anchor| index.add(anchor, at)),
                Find::Workspace => {
                    index.roots.clone().iter().for_each(|root| index.add(root, at));
                }
            }
        }
        Self { shapes, ..index }
    }

    fn add(&mut self, anchor: &str, shape: usize) {
        let pair = pair(anchor.as_bytes(), 0);
        if self.pairs[pair] == 0 {
            self.pairs[pair] = self.buckets.len() as u16;
            self.buckets.push(Vec::new());
        }
        let bucket = &mut self.buckets[usize::from(self.pairs[pair])];
        if !bucket.contains(&shape) {
            bucket.push(shape);
        }
    }

    /// The shape at an index that [`Found`] gives.
    pub(super) fn shape(&self, shape: usize) -> &Shape {
        &self.shapes[shape]
    }

    /// The first shape that is called so.
    pub(super) fn number(&self, label: &str) -> Option<usize> {
        self.shapes.iter().position(|shape| shape.label == label)
    }

    /// That shape itself.
    pub(super) fn labelled(&self, label: &str) -> Option<Shape> {
        self.number(label).map(|shape| self.shapes[shape])
    }

    /// What stands in the place of such a secret.
    pub(super) fn mark(&self, shape: usize) -> &str {
        &self.marks[shape]
    }

    /// The first secret that an anchor in `within` leads to.
    pub(super) fn next(&self, text: &[u8], within: Range<usize>) -> Option<Found> {
        let end = within.end.min(text.len().saturating_sub(1));
        (within.start..end).find_map(|at| match self.pairs[pair(text, at)] {
            0 => None,
            bucket => self.here(text, at, usize::from(bucket)),
        })
    }

    fn here(&self, text: &[u8], at: usize, bucket: usize) -> Option<Found> {
        self.buckets[bucket].iter().find_map(|shape| {
            let range = match self.shapes[*shape].find {
                Find::Prefix(prefix) => prefix.find(text, at),
                Find::By(find) => find(text, at),
                Find::Workspace => homes::workspace(text, at, &self.roots),
            }?;
            Some(Found { at, range, shape: *shape })
        })
    }
}

/// Whether a folder says where a workspace lies: not the root, and not a folder right below it,
/// which every machine has.
fn is_telling(root: &str) -> bool {
    root.len() >= 4 && root.split(['/', '\\']).filter(|name| !name.is_empty()).count() >= 2
}

fn pair(text: &[u8], at: usize) -> usize {
    usize::from(text[at]) << 8 | usize::from(text[at + 1])
}

/// A secret that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Where its anchor stands.
    pub(super) at: usize,
    /// The bytes to replace.
    pub(super) range: Range<usize>,
    /// Its shape in the index.
    pub(super) shape: usize,
}

/// Whether a secret that its prefix tells begins at `at`: it is then found for itself, with a
/// better label.
pub(super) fn is_told(text: &[u8], at: usize) -> bool {
    PREFIXES.iter().any(|prefix| prefix.find(text, at).is_some())
        || special::json_web_token(text, at).is_some()
}
