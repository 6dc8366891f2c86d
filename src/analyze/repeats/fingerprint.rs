//! The basis for comparing a file or block of code: its hash, and for scripts the smallest hashes
//! of its shingles (MinHash).

use rayon::prelude::*;

use crate::analyze::Texts;
use crate::analyze::repeats::{CandidateRun, FileCopy, file_name};
use crate::model::{Iteration, Output};
use crate::text::{is_listed, listed};

const SCRIPTS: &str = "py sh bash js mjs cjs ts rb pl ps1 bat r lua php awk sql";

/// Shorter blocks of code say nothing.
const MIN_BLOCK_LINES: usize = 8;

/// The most bytes of a file, and the most files.
const MAX_BYTES: u64 = 256 * 1024;
const MAX_FILES: usize = 2_000;

/// Tokens in a row that make one shingle.
const SHINGLE_TOKENS: usize = 4;

/// The most hashes kept of a file, the smallest: shares are then right within 6 points.
const MAX_HASHES: usize = 256;

/// Scripts with fewer shingles say nothing.
const MIN_SHINGLES: usize = 30;

/// The share of common shingles from which on scripts are copies of each other.
const MIN_LIKENESS: f64 = 0.5;

/// The least size in bytes of equal files that are not scripts.
const MIN_BYTES: usize = 200;

/// A file or a block of code with its hashes.
pub(super) struct Fingerprint<'w> {
    pub(super) copy: FileCopy,
    pub(super) name: &'w str,
    extension: &'w str,
    is_script: bool,
    pub(super) is_block: bool,
    pub(super) hash: u64,
    /// The smallest hashes of its shingles, sorted.
    hashes: Vec<u64>,
    pub(super) lines: usize,
}

impl Fingerprint<'_> {
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let are_scripts = self.is_script && other.is_script && self.extension == other.extension;
        self.is_block == other.is_block
            && (self.hash == other.hash
                || are_scripts && likeness(&self.hashes, &other.hashes) >= MIN_LIKENESS)
    }
}

/// The files that are compared, but for those that a case gave to its runs.
pub(super) fn fingerprints<'w>(
    iteration: &'w Iteration,
    runs: &[CandidateRun<'w>],
    texts: Texts<'_>,
) -> Vec<Fingerprint<'w>> {
    let mut files: Vec<(FileCopy, &'w Output)> = Vec::new();
    for candidate in runs {
        let input_names = iteration.cases[candidate.case].files.iter();
        let input_names: Vec<&str> = input_names.map(|path| file_name(path)).collect();
        let made = candidate.run.outputs.iter().filter(|file| {
            file.bytes <= MAX_BYTES && !input_names.contains(&file_name(&file.name))
        });
        files.extend(made.map(|file| (candidate.copy(Some(file.clone())), file)));
    }
    files.truncate(MAX_FILES);
    let fingerprints = files.par_iter().flat_map(|(copy, file)| {
        let text = texts.bytes(&file.path, MAX_BYTES).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let name = file_name(&file.name);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let blocks = if extension == "md" { blocks(&text) } else { Vec::new() };
        let blocks = blocks
            .into_iter()
            .map(|(language, block)| fingerprint(copy, (name, language), block, true));
        let whole = fingerprint(copy, (name, extension), &text, false);
        blocks.chain([whole]).flatten().collect::<Vec<_>>()
    });
    fingerprints.collect()
}

/// The longer blocks of code in a Markdown text, each with the extension of its language.
fn blocks(text: &str) -> Vec<(&'static str, &str)> {
    let mut code_blocks = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let fence = line.trim_start().strip_prefix("```");
        match (open, fence) {
            (None, Some(language)) => open = Some((language.trim(), at + line.len())),
            (Some((language, start)), Some(_)) => {
                let extension = extension_of(&language.to_ascii_lowercase());
                let block = &text[start..at];
                let is_long = block.lines().count() >= MIN_BLOCK_LINES;
                code_blocks
                    .extend(extension.filter(|_| is_long).map(|extension| (extension, block)));
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    code_blocks
}

/// The file extension of a language, by its name or by the extension itself.
fn extension_of(language: &str) -> Option<&'static str> {
    match language {
        "python" => Some("py"),
        "shell" | "bash" | "zsh" => Some("sh"),
        "javascript" => Some("js"),
        "typescript" | "tsx" => Some("ts"),
        "ruby" => Some("rb"),
        "powershell" => Some("ps1"),
        other => listed(SCRIPTS, other),
    }
}

fn fingerprint<'w>(
    copy: &FileCopy,
    (name, extension): (&'w str, &'w str),
    text: &str,
    is_block: bool,
) -> Option<Fingerprint<'w>> {
    let is_script = is_listed(SCRIPTS, &extension.to_ascii_lowercase());
    let tokens: Vec<u64> = tokens(text).map(|token| hash(token.as_bytes())).collect();
    let shingles = tokens.windows(SHINGLE_TOKENS);
    let mut hashes: Vec<u64> =
        shingles.map(|tokens| tokens.iter().fold(SEED, |sum, token| mix(sum, *token))).collect();
    hashes.sort_unstable();
    hashes.dedup();
    let is_enough = if is_script { hashes.len() >= MIN_SHINGLES } else { text.len() >= MIN_BYTES };
    hashes.truncate(MAX_HASHES);
    let (copy, hash, lines) = (copy.clone(), hash(text.as_bytes()), text.lines().count());
    is_enough.then_some(Fingerprint {
        copy,
        name,
        extension,
        is_script,
        is_block,
        hash,
        hashes,
        lines,
    })
}

/// Words and signs of a text without white space, comments of whole lines, and numbers.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("//") && !line.starts_with('#'));
    let words = lines.flat_map(|line| line.split_inclusive(|c: char| !c.is_alphanumeric()));
    let words = words.map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| if word.starts_with(|c: char| c.is_ascii_digit()) { "0" } else { word })
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(SEED, |sum, byte| mix(sum, u64::from(*byte)))
}

fn mix(sum: u64, value: u64) -> u64 {
    let sum = (sum ^ value).wrapping_mul(0x0100_0000_01b3);
    sum ^ (sum >> 29)
}

/// The Jaccard similarity of two files, estimated from the smallest hashes of their shingles.
pub(super) fn likeness(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut common, mut total) = (0, 0, 0_usize, 0_usize);
    while i < a.len() && j < b.len() && total < MAX_HASHES {
        let order = a[i].cmp(&b[j]);
        common += usize::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
        total += 1;
    }
    let rest = (a.len() - i).max(b.len() - j).min(MAX_HASHES - total);
    common as f64 / (total + rest).max(1) as f64
}
