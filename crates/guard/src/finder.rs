//! Finds the secrets in a text: keywords lead to rules, tables and what is encoded are found by their
//! shape, and values that were found elsewhere are found again.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memmem;
use regex::bytes::Captures;

use crate::container;
use crate::false_finds::{Judge, Match, ends_name, may_hold_strong};
use crate::known::KnownValues;
use crate::rules::{Allowed, RULES, Rule};
use crate::scan::{before, begins, is_word, leading, piece, trailing};
use crate::secret::{
    FOLDER_RANK, Label, Secret, TOKEN_RANK, WORKSPACE, is_folder, join_overlaps, marked,
};
use crate::tables::{self, Cell};
use crate::value::{is_prefixed_token, looks_like};
use formats::encoded;
use formats::visible_text::View;
use input::settings::SecretRules;

/// How many bytes before a keyword its rule asks about.
const BEFORE: usize = 100;

/// The longest value, in bytes: tokens of a session have more than a thousand.
const LONGEST_VALUE: usize = 4096;

/// What a text is, which decides what is a secret in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Text,
    /// A file of settings: what is given to the name of a password is one.
    Settings,
    /// The value of a field for ids: only shapes that no id has.
    Id,
    /// Not a text: only what is known by its shape, wherever it begins.
    Bytes,
}

/// How a text is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) kind: Kind,
    /// The length of the name in front of the value that is searched; 0 if there is none.
    pub(super) head: usize,
}

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
    /// The numbers of the rules that each keyword leads to, and how they write it.
    of_keyword: Vec<Vec<(usize, String)>>,
    /// Those that are tried everywhere.
    without_keyword: Vec<usize>,
}

/// Built once: of 400 small workspaces in one site a fifth of the time was spent on it.
static BUILT_IN: LazyLock<Arc<KeywordRules>> =
    LazyLock::new(|| Arc::new(KeywordRules::new(RULES.all.clone())));

impl KeywordRules {
    fn new(rules: Vec<Arc<Rule>>) -> Self {
        let mut numbers: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
        let mut without_keyword = Vec::new();
        for (number, rule) in rules.iter().enumerate() {
            if rule.keywords.is_empty() {
                without_keyword.push(number);
            }
            for keyword in &rule.keywords {
                let leads_to = numbers.entry(keyword.to_ascii_lowercase()).or_default();
                leads_to.push((number, keyword.clone()));
            }
        }
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(numbers.keys())
            .expect("the keywords are few and short");
        Self { rules, keywords, of_keyword: numbers.into_values().collect(), without_keyword }
    }
}

impl Finder {
    /// Finds secrets by the built-in rules and those of `own`, without what its allowlists name; `roots`
    /// are folders of the workspace on its machine.
    pub(super) fn new(roots: &[String], own: &SecretRules) -> Self {
        let by_keyword = if own.rules.is_empty() {
            Arc::clone(&BUILT_IN)
        } else {
            let mut rules: Vec<Arc<Rule>> =
                own.rules.iter().map(|rule| Arc::new(Rule::of_user(rule))).collect();
            rules.extend(RULES.all.iter().cloned());
            Arc::new(KeywordRules::new(rules))
        };
        let lists = own.allowlists.iter().chain([&own.allowlist]);
        let allowed = lists.map(Allowed::new).collect();
        let mut roots: Vec<&String> = roots.iter().filter(|root| tells_a_machine(root)).collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        let roots = roots.into_iter().map(|root| memmem::Finder::new(root).into_owned()).collect();
        Self { by_keyword, roots, allowed, values: None }
    }

    /// Makes values secrets wherever they are from now on.
    pub(super) fn know(&mut self, values: KnownValues) {
        self.values = Some(values);
    }

    /// Whether the bytes of a file may hold a known value, plain or escaped.
    pub(super) fn may_hold_known_value(&self, bytes: &[u8]) -> bool {
        self.values.as_ref().is_some_and(|values| values.may_be_in(bytes))
    }

    /// Every secret of a text as a reader sees it, in order and without overlap.
    pub(super) fn find(&self, text: &str, kind: Kind) -> Vec<Secret> {
        self.find_in_field("", text, kind)
    }

    /// The same in the value of the field called `name`.
    pub(super) fn find_in_field(&self, name: &str, value: &str, kind: Kind) -> Vec<Secret> {
        let mut secrets = self.find_in_bytes(name, value.as_bytes(), kind);
        for Secret { range, .. } in &mut secrets {
            // A value may end within a character.
            *range = value.floor_char_boundary(range.start)..value.ceil_char_boundary(range.end);
        }
        secrets
    }

    /// The same in bytes that need not be text.
    pub(super) fn find_in_bytes(&self, name: &str, value: &[u8], kind: Kind) -> Vec<Secret> {
        let view = View::new(value);
        let shown = view.as_ref().map_or(value, |view| &view.text);
        let mut secrets = if name.is_empty() {
            self.find_shown(shown, Reading { kind, head: 0 })
        } else {
            // As a document writes them, so that the same rules hold.
            let head = format!("\"{name}\": \"");
            let text = [head.as_bytes(), shown, b"\""].concat();
            let mut secrets = self.find_shown(&text, Reading { kind, head: head.len() });
            secrets.retain_mut(|secret| {
                let start = secret.range.start.saturating_sub(head.len());
                let end = secret.range.end.saturating_sub(head.len()).min(shown.len());
                secret.range = start..end;
                start < end
            });
            secrets
        };
        for secret in &mut secrets {
            secret.value = shown[secret.range.clone()].to_vec();
            if let Some(view) = &view {
                secret.range = view.source(&secret.range);
            }
        }
        secrets
    }

    /// `text` with every secret replaced, and their labels; `None` if there are none.
    pub(super) fn redact(&self, text: &str) -> Option<(String, Vec<Label>)> {
        let secrets = self.find(text, Kind::Text);
        if secrets.is_empty() {
            return None;
        }
        let shown = marked(text, &secrets);
        Some((shown, secrets.into_iter().map(|secret| secret.label).collect()))
    }

    fn find_shown(&self, text: &[u8], reading: Reading) -> Vec<Secret> {
        let mut secrets = self.find_plain(text, reading);
        if matches!(reading.kind, Kind::Text | Kind::Settings) {
            for run in encoded::runs(text) {
                self.look_into_run(text, run, &mut secrets);
            }
        }
        secrets.retain(|secret| {
            let value = &text[secret.range.clone()];
            is_folder(&secret.label) || !self.allowed.iter().any(|list| list.allows(value, value))
        });
        join_overlaps(secrets)
    }

    fn find_plain(&self, text: &[u8], reading: Reading) -> Vec<Secret> {
        let mut secrets = Vec::new();
        self.apply_rules(text, reading, &mut secrets);
        if let Some(values) = &self.values {
            values.find(text, &mut secrets);
        }
        if reading.kind != Kind::Bytes {
            self.find_roots(text, &mut secrets);
        }
        secrets
    }

    /// Adds a run of letters and digits that stands for a text or a file with a secret, and the tokens
    /// in it.
    fn look_into_run(&self, text: &[u8], run: Range<usize>, secrets: &mut Vec<Secret>) {
        let digits = &text[run.clone()];
        if let Some(label) = self.label_of_encoded(digits) {
            secrets.push(Secret::new(run.clone(), &label, 0));
        }
        let mut start = run.start;
        for part in digits.split(|byte| !is_word(*byte) && *byte != b'-') {
            if is_prefixed_token(part) {
                let range = start..start + part.len();
                secrets.push(Secret::new(range, &"token".into(), TOKEN_RANK));
            }
            start += part.len() + 1;
        }
    }

    /// What the secret is in the file or the text that a run stands for.
    fn label_of_encoded(&self, digits: &[u8]) -> Option<Label> {
        if looks_like("packed", digits) {
            let file = encoded::bytes_of(digits, |_| true)?;
            return container::search(self, "", &file).first_secret();
        }
        let plain = encoded::text_of(digits)?;
        let mut found = self.find_plain(&plain, Reading { kind: Kind::Text, head: 0 }).into_iter();
        found.find(|secret| !is_folder(&secret.label)).map(|secret| secret.label)
    }

    /// Adds every root of the workspace.
    fn find_roots(&self, text: &[u8], secrets: &mut Vec<Secret>) {
        for root in &self.roots {
            for start in root.find_iter(text) {
                let range = start..start + root.needle().len();
                let next = text.get(range.end).copied();
                let goes_on = next.is_some_and(|b| is_word(b) || b"-@+".contains(&b) || b >= 0x80);
                let is_within =
                    before(text, start).is_some_and(|b| is_word(b) || b"-./~})]$".contains(&b));
                if !goes_on && (!is_within || text[..start].ends_with(b"file://")) {
                    secrets.push(Secret::new(range, &WORKSPACE.into(), usize::MAX - 1));
                }
            }
        }
    }

    fn apply_rules(&self, text: &[u8], reading: Reading, secrets: &mut Vec<Secret>) {
        let KeywordRules { rules, keywords, of_keyword, without_keyword } = &*self.by_keyword;
        let mut windows: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        let mut names = Vec::new();
        // Where each rule that is anchored at its keywords has found something last.
        let mut found_until: BTreeMap<usize, usize> = BTreeMap::new();
        for hit in keywords.find_overlapping_iter(text) {
            for (number, keyword) in &of_keyword[hit.pattern().as_usize()] {
                let number = *number;
                let search = Search { text, rule: &rules[number], reading };
                if !search.is_tried(&hit.range(), keyword) {
                    continue;
                }
                if search.rule.hints.judge.is_named() {
                    names.push(hit.start());
                }
                if !search.rule.is_at_keyword {
                    add_window(windows.entry(number).or_default(), search.window(hit.range()));
                } else if found_until.get(&number).is_none_or(|end| hit.start() >= *end)
                    && let Some(range) = search.at_keyword(hit.range())
                {
                    found_until.insert(number, range.end);
                    secrets.push(search.secret(range, number));
                }
            }
        }
        for &number in without_keyword {
            add_window(windows.entry(number).or_default(), 0..text.len());
        }
        for (number, ranges) in windows {
            let search = Search { text, rule: &rules[number], reading };
            let found = ranges.into_iter().flat_map(|range| search.within(range));
            secrets.extend(found.map(|range| search.secret(range, number)));
        }
        if !matches!(reading.kind, Kind::Bytes | Kind::Id) {
            for Cell { head, range } in tables::cells_of_secrets(text, &names) {
                // A cell is a secret where a line that gives it to the head would hold one.
                let line = [head, b" = ", &text[range.clone()], b" |"].concat();
                let mut found = Vec::new();
                self.apply_rules(&line, reading, &mut found);
                if !found.is_empty() && !looks_like("made_up", &text[range.clone()]) {
                    let label = "column of secrets".into();
                    secrets.push(Secret::new(range, &label, usize::MAX / 4));
                }
            }
        }
    }
}

/// One rule on one text.
struct Search<'t> {
    text: &'t [u8],
    rule: &'t Rule,
    reading: Reading,
}

impl Search<'_> {
    fn secret(&self, range: Range<usize>, number: usize) -> Secret {
        // Folders name no mark where there is a secret too.
        let rank = if is_folder(&self.rule.label) { FOLDER_RANK } else { number };
        Secret::new(range, &self.rule.label, rank)
    }

    /// Whether the rule is for such a text, and the keyword a whole name where it must be one, and as it is
    /// `written` where that counts: short ones, such as `OT`, are in every text in small letters.
    fn is_tried(&self, keyword: &Range<usize>, written: &str) -> bool {
        let judge = self.rule.hints.judge;
        let is_for_text = match self.reading.kind {
            Kind::Bytes => judge.is_of_shape(),
            // The name of the field may say that its value is a secret.
            Kind::Id => judge.is_exact() || keyword.start < self.reading.head,
            Kind::Text | Kind::Settings => true,
        };
        is_for_text
            && (!self.rule.is_case_sensitive || &self.text[keyword.clone()] == written.as_bytes())
            && (!judge.is_named() || ends_name(self.text, keyword))
    }

    /// The part of the text around a keyword.
    fn window(&self, keyword: Range<usize>) -> Range<usize> {
        let mut end = self.text.len().min(keyword.end + self.rule.hints.reach);
        if self.rule.hints.one_line {
            let line = memchr::memchr(b'\n', &self.text[keyword.end..end]);
            end = line.map_or(end, |length| keyword.end + length);
        }
        keyword.start.saturating_sub(self.rule.hints.back)..end
    }

    /// The secret that the keyword begins or names.
    fn at_keyword(&self, keyword: Range<usize>) -> Option<Range<usize>> {
        let start = keyword.start;
        let head = &self.text[start.saturating_sub(BEFORE)..start];
        if self.rule.hints.before.as_ref().is_some_and(|before| !before.fits(head)) {
            return None;
        }
        let reach = piece(self.text, start, keyword.len() + self.rule.hints.reach);
        // Words such as `password` are often repeated, and seldom with such a value nearby.
        if self.rule.hints.judge == Judge::Nearby && !may_hold_strong(reach) {
            return None;
        }
        let found = self.rule.regex.get().captures(reach)?;
        self.judge(&found, start, keyword)
    }

    /// All secrets in a part of the text.
    fn within(&self, window: Range<usize>) -> Vec<Range<usize>> {
        let mut secrets = Vec::new();
        let regex = self.rule.regex.get();
        let text = &self.text[..window.end];
        let mut at = window.start;
        while at < text.len() {
            let Some(found) = regex.captures_at(text, at) else { break };
            let Some(whole) = found.get(0) else { break };
            at = whole.start() + 1;
            // A token that continues a word is a part of it, but in bytes a letter may be a length.
            if self.reading.kind != Kind::Bytes
                && text[whole.start()].is_ascii_alphanumeric()
                && !begins(text, whole.start())
            {
                continue;
            }
            if let Some(range) = self.judge(&found, 0, whole.start()..whole.start()) {
                at = at.max(range.end);
                secrets.push(range);
            }
        }
        secrets
    }

    /// The secret in a match, whose places count from `offset`.
    fn judge(
        &self,
        found: &Captures<'_>,
        offset: usize,
        keyword: Range<usize>,
    ) -> Option<Range<usize>> {
        let whole = found.get(0)?;
        let value = match found.iter().skip(1).flatten().next() {
            None => offset + whole.start()..offset + whole.end(),
            Some(group) if group.is_empty() => {
                let start = offset + group.start();
                start..self.value_end(start)?
            }
            Some(group) => offset + group.start()..offset + group.end(),
        };
        let place = Match { text: self.text, keyword, value, reading: self.reading };
        let secret = place.secret(self.rule.hints.judge)?;
        let is_allowed = self.rule.allows(&self.text[secret.clone()], whole.as_bytes());
        if is_allowed { None } else { Some(secret) }
    }

    /// The end of a value that begins at `at`: at its closing quote, or at the end of a word.
    fn value_end(&self, at: usize) -> Option<usize> {
        if at == self.reading.head && at > 0 {
            return Some(self.text[..self.text.len() - 1].trim_ascii_end().len().max(at));
        }
        let rest = piece(self.text, at, LONGEST_VALUE);
        let Some(quote @ (b'"' | b'\'' | b'`')) = before(self.text, at) else {
            // A name that is given a value of its own, as in `token=token=`.
            if looks_like("assignment", piece(rest, 0, 64)) {
                return None;
            }
            let length = leading(rest, |byte| {
                !byte.is_ascii_whitespace()
                    // Of punctuation beyond ASCII none is in a password.
                    && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|' | 0xe2..=0xef)
            });
            let is_element = before(self.text, at) == Some(b'>');
            let is_open = is_element && rest.get(length) != Some(&b'<');
            return if is_open { None } else { Some(at + length) };
        };
        // The closing quote follows as many backslashes as the opening one.
        let escapes = trailing(&self.text[..at - 1], |byte| byte == b'\\');
        let line = leading(rest, |byte| byte != b'\n');
        let mut ends = memchr::memchr_iter(quote, &rest[..line]).map(|length| at + length);
        let end = ends.find(|end| trailing(&self.text[..*end], |byte| byte == b'\\') == escapes)?;
        Some(end - escapes)
    }
}

/// Adds a part of a text that a rule searches. Those that overlap become one, so that no part is searched
/// twice.
fn add_window(windows: &mut Vec<Range<usize>>, window: Range<usize>) {
    match windows.last_mut() {
        Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
        _ => windows.push(window),
    }
}

/// Whether a root says more than where every machine has folders: two names, four letters.
fn tells_a_machine(root: &str) -> bool {
    let names = root.split(['/', '\\']).filter(|name| !name.is_empty()).count();
    root.len() >= 4 && names >= 2
}
