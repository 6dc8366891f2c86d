//! The basis for comparing a file or block of code: its hash, and for scripts the smallest hashes
//! of its shingles (MinHash).

use rayon::prelude::*;

use crate::analyze::Texts;
use crate::analyze::repeats::{CandidateRun, FileCopy};
use crate::analyze::texts::MAX_FILES;
use crate::model::{Iteration, Output};
use crate::text::{is_listed, listed};

const SCRIPTS: &str = "py sh bash js mjs cjs ts rb pl ps1 bat r lua php awk sql";

/// Shorter blocks of code say nothing.
const TELLING_LINES: usize = 8;

/// A file of more bytes is data.
const SCRIPT_BYTES: u64 = 256 * 1024;

/// Tokens in a row that make one shingle.
const SHINGLE_TOKENS: usize = 4;

/// The smallest hashes of a file, so many of them, are kept: shares are then right within 6 points.
const HASHES_KEPT: usize = 256;

/// Scripts with fewer shingles say nothing.
const TELLING_SHINGLES: usize = 30;

/// The share of common shingles from which on scripts are copies of each other.
const COPY_LIKENESS: f64 = 0.5;

/// Smaller files that are no scripts say nothing, even if they are equal.
const TELLING_BYTES: usize = 200;

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

impl<'w> Fingerprint<'w> {
    /// `None` for a text that says nothing.
    fn new(copy: &FileCopy, name: &'w str, extension: &'w str, text: &str) -> Option<Self> {
        let is_script = is_listed(SCRIPTS, &extension.to_ascii_lowercase());
        let tokens: Vec<u64> = tokens(text).map(|token| hash(token.as_bytes())).collect();
        let mut hashes: Vec<u64> = Vec::new();
        for shingle in tokens.windows(SHINGLE_TOKENS) {
            hashes.push(shingle.iter().fold(SEED, |sum, token| mix(sum, *token)));
        }
        hashes.sort_unstable();
        hashes.dedup();
        // Short scripts are alike by their imports alone.
        let is_telling =
            if is_script { hashes.len() >= TELLING_SHINGLES } else { text.len() >= TELLING_BYTES };
        if !is_telling {
            return None;
        }
        hashes.truncate(HASHES_KEPT);
        Some(Self {
            copy: copy.clone(),
            name,
            extension,
            is_script,
            is_block: false,
            hash: hash(text.as_bytes()),
            hashes,
            lines: text.lines().count(),
        })
    }

    pub(super) fn is_like(&self, other: &Self) -> bool {
        let are_scripts = self.is_script && other.is_script && self.extension == other.extension;
        self.is_block == other.is_block
            && (self.hash == other.hash
                || are_scripts && likeness(&self.hashes, &other.hashes) >= COPY_LIKENESS)
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
        let inputs = &iteration.cases[candidate.case].files;
        for file in candidate.run.outputs.iter().take(MAX_FILES) {
            // Runners copy the inputs of a case into its outputs.
            let is_input = inputs.iter().any(|path| file_name(path) == file_name(&file.name));
            if file.bytes <= SCRIPT_BYTES && !is_input {
                files.push((candidate.copy(Some(file.clone())), file));
            }
        }
    }
    files.par_iter().flat_map_iter(|(copy, file)| file_fingerprints(copy, file, texts)).collect()
}

/// The blocks of code in a file, if it is Markdown, and the file as a whole.
fn file_fingerprints<'w>(
    copy: &FileCopy,
    file: &'w Output,
    texts: Texts<'_>,
) -> Vec<Fingerprint<'w>> {
    let bytes = texts.bytes(&file.path, SCRIPT_BYTES).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    let name = file_name(&file.name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut fingerprints = Vec::new();
    if extension == "md" {
        for (language, block) in blocks(&text) {
            let block = Fingerprint::new(copy, name, language, block);
            fingerprints.extend(block.map(|block| Fingerprint { is_block: true, ..block }));
        }
    }
    fingerprints.extend(Fingerprint::new(copy, name, extension, &text));
    fingerprints
}

/// The longer blocks of code in a Markdown text, each with the extension of its language.
fn blocks(text: &str) -> Vec<(&'static str, &str)> {
    let mut code_blocks = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            if let Some((language, start)) = open.take() {
                let block = &text[start..at];
                let extension = extension_of(&language.to_ascii_lowercase());
                if let Some(extension) = extension
                    && block.lines().count() >= TELLING_LINES
                {
                    code_blocks.push((extension, block));
                }
            } else {
                open = Some((language.trim(), at + line.len()));
            }
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
    while i < a.len() && j < b.len() && total < HASHES_KEPT {
        let order = a[i].cmp(&b[j]);
        common += usize::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
        total += 1;
    }
    let rest = (a.len() - i).max(b.len() - j).min(HASHES_KEPT - total);
    common as f64 / (total + rest).max(1) as f64
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
