//! Finds the secrets in a text: keywords lead to rules, blocks and tables are found by their shape,
//! and values that were found elsewhere are found again.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memmem;

use crate::guard::blocks;
use crate::guard::escapes;
use crate::guard::folded::{self, PartedWords};
use crate::guard::folders;
use crate::guard::known::KnownValues;
use crate::guard::rules::{self, Allowed, Anchor, RULES, Rule};
use crate::guard::scan::is_word;
use crate::guard::search::{BEFORE, Depth, LONGEST_VALUE, Search};
use crate::guard::secret::{Label, Secret, is_folder, join_overlaps, mark};
use crate::guard::tables;
use crate::guard::token_start::begins;
use crate::guard::value::{is_random, prefixed_token};
use crate::settings::SecretRules;

/// How often a text may be encoded within a text that is encoded.
const MAX_ENCODINGS: usize = 2;

#[derive(Debug)]
pub(super) struct Finder {
    by_keyword: Arc<KeywordRules>,
    /// Folders of the workspace on its machine, the longest first.
    roots: Vec<memmem::Finder<'static>>,
    /// What a user says is no secret.
    allowed: Vec<Allowed>,
    /// Secrets that were found anywhere in the workspace.
    values: Option<KnownValues>,
}

/// Rules, and the words that lead to them.
#[derive(Debug)]
struct KeywordRules {
    /// Those of users come first, so that their names win.
    rules: Vec<Arc<Rule>>,
    /// The keywords of all rules, each once.
    keywords: AhoCorasick,
    /// What each keyword leads to.
    rules_of_keyword: Vec<Keyword>,
}

/// Built once: of 400 small workspaces in one site a fifth of the time was spent on it.
static BUILT_IN: LazyLock<Arc<KeywordRules>> =
    LazyLock::new(|| Arc::new(KeywordRules::new(RULES.clone())));

#[derive(Debug)]
struct Keyword {
    /// The numbers of its rules.
    rules: Vec<usize>,
    /// Whether it may be in the head of a column of secrets.
    is_column_name: bool,
}

impl KeywordRules {
    fn new(rules: Vec<Arc<Rule>>) -> Self {
        let mut numbers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, rule) in rules.iter().enumerate() {
            for keyword in &rule.keywords {
                let numbers = numbers.entry(keyword.to_ascii_lowercase()).or_default();
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
        }
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(numbers.keys())
            .expect("the keywords are few and short");
        let mut rules_of_keyword = Vec::with_capacity(numbers.len());
        for (text, rules) in numbers {
            let is_column_name = tables::is_column_name(text.as_bytes());
            rules_of_keyword.push(Keyword { rules, is_column_name });
        }
        Self { rules, keywords, rules_of_keyword }
    }
}

impl Finder {
    /// Finds secrets by the built-in rules; `roots` are folders of the workspace on its machine.
    #[cfg(test)]
    pub(super) fn new(roots: &[String]) -> Self {
        Self::with_rules(roots, &SecretRules::default())
    }

    /// The same by the rules of `own` as well, without what its allowlists name.
    pub(super) fn with_rules(roots: &[String], own: &SecretRules) -> Self {
        let by_keyword = if own.rules.is_empty() {
            Arc::clone(&BUILT_IN)
        } else {
            let mut rules: Vec<Arc<Rule>> =
                own.rules.iter().map(|rule| Arc::new(rules::users_rule(rule))).collect();
            rules.extend(RULES.iter().cloned());
            Arc::new(KeywordRules::new(rules))
        };
        let lists = own.allowlists.iter().chain([&own.allowlist]).cloned();
        let allowed = lists.map(Allowed::new).collect();
        // Every machine has the root and the folders right below it.
        let private = roots.iter().filter(|root| folders::tells_a_machine(root));
        let mut roots: Vec<memmem::Finder<'static>> =
            private.map(|root| memmem::Finder::new(root).into_owned()).collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.needle().len()));
        Self { by_keyword, roots, allowed, values: None }
    }

    /// Makes values, each with its label, secrets wherever they are from now on.
    pub(super) fn know(&mut self, values: impl IntoIterator<Item = (Vec<u8>, Label)>) {
        self.values = KnownValues::new(values);
    }

    /// Whether a value that is a secret wherever it is occurs in a text, plain or escaped.
    pub(super) fn holds_known_value(&self, text: &[u8]) -> bool {
        let Some(values) = &self.values else { return false };
        values.are_in(text)
            || escapes::parts(text).iter().any(|part| values.are_in(&part.text))
            || escapes::long_runs(text)
                .into_iter()
                .filter_map(|run| escapes::decoded(&text[run]))
                .any(|plain| values.are_in(&plain))
    }

    /// Every secret of a text, plain or escaped, in order and without overlap.
    pub(super) fn find(&self, text: &[u8], is_prose: bool) -> Vec<Secret> {
        let mut secrets = Vec::new();
        self.find_plain(text, is_prose, &mut secrets);
        for part in escapes::parts(text) {
            let mut escaped = Vec::new();
            self.find_plain(&part.text, is_prose, &mut escaped);
            for secret in escaped {
                secrets.push(Secret { range: part.raw(&secret.range), ..secret });
            }
        }
        for run in escapes::long_runs(text) {
            self.look_into_run(text, run, &mut secrets);
        }
        let mut secrets = join_overlaps(secrets);
        let unseen = self.find_unseen(text, &secrets);
        secrets.extend(unseen);
        self.joined(text, secrets)
    }

    /// Secrets in order and without overlap, without those that a user allows.
    fn joined(&self, text: &[u8], mut secrets: Vec<Secret>) -> Vec<Secret> {
        secrets.retain(|secret| {
            let value = &text[secret.range.clone()];
            is_folder(&secret.label) || !self.allowed.iter().any(|list| list.allows(value, value))
        });
        join_overlaps(secrets)
    }

    /// The secrets of bytes that are not a text: those known by their shape, whatever is around them.
    pub(super) fn find_in_bytes(&self, bytes: &[u8]) -> Vec<Secret> {
        self.find_shapes(bytes)
    }

    /// The secrets that only a reader of a text sees: parts of a word in colors or tags, wrapped
    /// lines, bytes written as digits. Each has its place with all that is left out in it. `known` are
    /// those that the text shows, in order.
    fn find_unseen(&self, text: &[u8], known: &[Secret]) -> Vec<Secret> {
        let mut secrets = Vec::new();
        let words = PartedWords::new(text);
        let mut shapes = self.find_shapes(&words.text);
        // Mails may break a line within the name of a secret.
        if memmem::find(text, b"quoted-printable").is_some() {
            self.find_plain(&words.text, false, &mut shapes);
        }
        for secret in shapes {
            if let Some(range) = new_part(known, text, words.source(&secret.range)) {
                secrets.push(Secret { range, ..secret });
            }
        }
        let stream = PartedWords::of_stream(text);
        let mut parted = Vec::new();
        if !stream.text.is_empty() {
            self.find_plain(&stream.text, false, &mut parted);
        }
        for secret in parted {
            let range = stream.source(&secret.range);
            // What is far apart is no piece of one text.
            if range.len() > secret.range.len() && range.len() <= LONGEST_VALUE * 4 {
                secrets.push(Secret { range, ..secret });
            }
        }
        // Mails and other tools wrap base64, perhaps below a word that ends right before it.
        for run in escapes::long_runs(&words.text) {
            let starts = words.starts_within(&run).filter(|start| {
                let source = words.source(&(*start..*start + 1)).start;
                text[..source].ends_with(b"\n") || text[..source].ends_with(b"\\n")
            });
            for start in std::iter::once(run.start).chain(starts) {
                let run = start..run.end;
                let plain = escapes::decoded(&words.text[run.clone()]).unwrap_or_default();
                self.look_into_decoded(&plain, words.source(&run), &mut secrets);
            }
        }
        for (range, plain) in folded::in_digits(text) {
            self.look_into_decoded(&plain, range, &mut secrets);
        }
        secrets
    }

    /// Makes all of `range` a secret if there is one in the text that it stands for.
    fn look_into_decoded(&self, plain: &[u8], range: Range<usize>, secrets: &mut Vec<Secret>) {
        if let Some(first) = self.first_in_decoded(plain, MAX_ENCODINGS) {
            secrets.push(Secret { range, ..first });
        }
    }

    /// A secret of a text that was encoded, perhaps several times.
    fn first_in_decoded(&self, plain: &[u8], depth: usize) -> Option<Secret> {
        if plain.is_empty() {
            return None;
        }
        let mut found = self.find_shapes(plain);
        if found.is_empty() && std::str::from_utf8(plain).is_ok() {
            self.find_plain(plain, false, &mut found);
        }
        let first = found.into_iter().find(|secret| !is_folder(&secret.label));
        if first.is_some() || depth == 0 {
            return first;
        }
        escapes::long_runs(plain).into_iter().find_map(|run| {
            let inner = escapes::decoded(&plain[run])?;
            self.first_in_decoded(&inner, depth - 1)
        })
    }

    fn find_shapes(&self, text: &[u8]) -> Vec<Secret> {
        let mut secrets = Vec::new();
        self.apply_rules(text, Depth::Bytes, &mut secrets);
        blocks::find_private_keys(text, &mut secrets);
        self.find_values(text, &mut secrets);
        self.joined(text, secrets)
    }

    /// `text` with every secret replaced, and their labels; `None` if there are none.
    pub(super) fn redact(&self, text: &str) -> Option<(String, Vec<Label>)> {
        let (mut out, mut labels, mut done) = (String::new(), Vec::new(), 0);
        for Secret { range, label, .. } in self.find(text.as_bytes(), false) {
            // The longest name of a home may end within a character.
            let end = (range.end..=text.len()).find(|at| text.is_char_boundary(*at))?;
            let Some(before) = text.get(done..range.start) else { continue };
            out.push_str(before);
            out.push_str(&mark(&label));
            done = end;
            labels.push(label);
        }
        if labels.is_empty() {
            return None;
        }
        out.push_str(&text[done..]);
        Some((out, labels))
    }

    /// Adds the tokens of a run of letters and digits, and the run itself if it is base64 of a token.
    fn look_into_run(&self, text: &[u8], run: Range<usize>, secrets: &mut Vec<Secret>) {
        let digits = &text[run.clone()];
        let plain = escapes::decoded(digits).or_else(|| escapes::inflated(digits));
        self.look_into_decoded(&plain.unwrap_or_default(), run.clone(), secrets);
        let mut start = run.start;
        for part in text[run].split(|byte| !is_word(*byte) && *byte != b'-') {
            let range = start..start + part.len();
            start = range.end + 1;
            // A rule that knows the service is right about where its token begins.
            let is_known = || secrets.iter().any(|secret| secret.range.end == range.end);
            if prefixed_token(part) && begins(text, range.start) && !is_known() {
                let label = Arc::from("token");
                secrets.push(Secret { range, label, rank: usize::MAX / 8 });
            }
        }
    }

    fn find_plain(&self, text: &[u8], is_prose: bool, secrets: &mut Vec<Secret>) {
        let depth = if is_prose { Depth::Prose } else { Depth::Text };
        self.apply_rules(text, depth, secrets);
        blocks::find_private_keys(text, secrets);
        blocks::find_kubernetes_secrets(text, secrets);
        folders::find(text, &self.roots, secrets);
        self.find_values(text, secrets);
    }

    fn find_values(&self, text: &[u8], secrets: &mut Vec<Secret>) {
        let Some(values) = &self.values else { return };
        values.find(text, secrets);
    }

    fn apply_rules(&self, text: &[u8], depth: Depth, secrets: &mut Vec<Secret>) {
        let only_shapes = depth == Depth::Bytes;
        let mut windows: Vec<Window> = Vec::new();
        // Where each rule that is anchored at its keywords has found something last.
        let mut found_until: BTreeMap<usize, usize> = BTreeMap::new();
        let mut column_names = Vec::new();
        for hit in self.by_keyword.keywords.find_overlapping_iter(text) {
            let keyword = &self.by_keyword.rules_of_keyword[hit.pattern().as_usize()];
            for &number in &keyword.rules {
                let rule = &self.by_keyword.rules[number];
                if only_shapes && !rule.is_shape() {
                    continue;
                }
                if rule.anchor == Anchor::Around {
                    windows.push(Window { number, range: window(text, hit.range(), rule) });
                } else if found_until.get(&number).is_none_or(|end| hit.start() >= *end) {
                    let search = Search { text, rule, depth };
                    if let Some(range) = search.at_keyword(hit.range()) {
                        found_until.insert(number, range.end);
                        secrets.push(search.secret(range, number));
                    }
                }
            }
            if keyword.is_column_name {
                column_names.push(hit.start());
            }
        }
        for (number, rule) in self.by_keyword.rules.iter().enumerate() {
            if rule.keywords.is_empty() {
                windows.push(Window { number, range: 0..text.len() });
            }
        }
        for Window { number, range } in join_windows(windows) {
            let search = Search { text, rule: &self.by_keyword.rules[number], depth };
            for range in search.within(range) {
                secrets.push(search.secret(range, number));
            }
        }
        if !only_shapes {
            tables::find(text, &column_names, secrets);
        }
    }
}

/// A part of a text that a rule searches.
struct Window {
    number: usize,
    range: Range<usize>,
}

/// The part of a text around a keyword that a rule searches.
fn window(text: &[u8], keyword: Range<usize>, rule: &Rule) -> Range<usize> {
    let mut end = text.len().min(keyword.end + rule.reach);
    if rule.is_one_line {
        let line = memchr::memchr(b'\n', &text[keyword.end..end]);
        end = line.map_or(end, |length| keyword.end + length);
    }
    keyword.start.saturating_sub(BEFORE)..end
}

/// Windows of a rule that overlap become one, so that it searches no part of a text twice.
fn join_windows(mut windows: Vec<Window>) -> Vec<Window> {
    windows.sort_by_key(|window| (window.number, window.range.start));
    windows.dedup_by(|next, last| {
        let overlap = next.number == last.number && next.range.start <= last.range.end;
        if overlap {
            last.range.end = last.range.end.max(next.range.end);
        }
        overlap
    });
    windows
}

/// The part at `range` of a secret with gaps, if `known`, which is in order, has nothing of it or only
/// the beginning. The words in the lines below a token are no part of it.
fn new_part(known: &[Secret], text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let at = known.partition_point(|secret| secret.range.end <= range.start);
    let mut inside = known[at..].iter().take_while(|secret| secret.range.start < range.end);
    let Some(first) = inside.next() else { return Some(range) };
    if inside.next().is_some() {
        return None;
    }
    let mut end = range.end;
    let rest = text.get(first.range.end..end)?;
    for line in rest.rsplit(|byte| byte.is_ascii_whitespace()) {
        if is_random(line) {
            return Some(range.start..end);
        }
        end = end.saturating_sub(line.len() + 1);
    }
    None
}
