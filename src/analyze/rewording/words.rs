//! The words that a statement is compared by. Stop words are left out, inflections and a few
//! synonyms count as one word, and words that set a demand are marked: numbers, negations, bounds.
//! In Chinese and Japanese every character is a word.

use crate::diff::tokens;

/// Statements with more words are not compared.
const MAX_WORDS: usize = 64;

/// Stop words: adding or removing one does not change a demand.
const STOP_WORDS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "its", "their", "it", "they", "there",
    "is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "do", "does", "did",
    "should", "must", "shall", "will", "would", "can", "could", "and", "of", "in", "on", "at",
    "with", "as", "for", "which", "who", "when", "where", "also", "eg", "e.g", "i.e", "的", "了",
    "是", "為", "为", "在", "有", "與", "与", "和", "及", "並", "且", "之", "其", "該", "该", "應",
    "应", "須", "须", "需", "要", "會", "会", "能", "可", "將", "将", "被", "把", "中", "個", "个",
    "份", "一", "は", "が", "を", "に", "の", "と", "で", "も", "た", "る",
];

/// Words that tell the two sides apart, so that word order matters.
const DIRECTED: &[&str] = &[
    "to", "from", "into", "onto", "by", "through", "via", "between", "against", "由", "從", "从",
    "到", "成", "至", "給", "给", "對", "对",
];

/// Groups of words. The first word represents its group, which is one demand.
const DEMANDS: &str = "\
    not no never none nor neither without cannot lack lacks lacking missing avoid avoids \
    omit omits omitted exclude excludes excluded excluding except fail fails failed skip \
    skips ignore ignores reject rejects refuse refuses remove removes removed free \
    instead unless incorrect incorrectly wrong wrongly invalid \
    不 沒 没 無 无 未 非 勿 否 免 缺 錯 错, \
    all every each entire always 全 每 皆 均 都 所, any some several 任 某, \
    only solely just 僅 仅 只, or either 或, both 兩 两, \
    may might optional optionally ideally, if 若 如, least minimum 少, most maximum 多, \
    exactly precisely 恰, more over above exceeds exceed greater 超 高, \
    less fewer under below within 低, than 比, before 前, after 後 后, first, last, 最, 上, \
    下, 內 内, 外";

const NUMBERS: &str = "\
    0 zero 零, 1 one once, 2 two twice 二, 3 three 三, 4 four 四, 5 five 五, 6 six 六, \
    7 seven 七, 8 eight 八, 9 nine 九, 10 ten 十, 12 twelve, 100 hundred 百, 1000 thousand 千, \
    10000 萬 万";

/// Words that graders use interchangeably.
const SYNONYMS: &str = "\
    include contain list show provide give mention display name identify describe, \
    create generate produce make write, use apply employ, \
    large larger largest big bigger biggest, correct accurate proper, \
    output response result answer, file document, check verify confirm, section part chapter";

/// One ending of an English word in place of another.
const ENDINGS: &[&str] = &[
    "", "s", "es", "ed", "d", "e", "ing", "y", "ies", "ied", "ly", "ation", "ations", "ize",
    "izes", "ized", "ise", "ises", "ised", "ting", "ted", "ning", "ned", "ping", "ped",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The word in lower case, the first of its group where it has one.
    pub(super) text: String,
    /// Whether it is a number, a negation or a bound: without it the statement demands something
    /// else.
    pub(super) is_demand: bool,
    /// Its weight among the words of content.
    pub(super) weight: u32,
}

impl Word {
    fn demand(text: &str) -> Self {
        Self { text: text.to_owned(), is_demand: true, weight: 0 }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.is_demand == other.is_demand
            && (self.text == other.text || (!self.is_demand && inflected(&self.text, &other.text)))
    }
}

/// The words of a statement in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wording {
    /// Its words; empty if there are too many to compare.
    pub(super) words: Vec<Word>,
    /// Whether word order matters: it sets a demand, or a direction.
    pub(super) is_ordered: bool,
}

impl Wording {
    pub(super) fn new(text: &str) -> Self {
        let mut wording = Self::default();
        let mut before = [" ", " "];
        for token in tokens(text) {
            let word = token.to_lowercase().replace(['_', '’'], "");
            let word = word.trim_matches('\'');
            let is_signed = is_sign(before) && word.starts_with(|c: char| c.is_numeric());
            before = [before[1], token];
            if is_signed {
                wording.words.push(Word::demand(&format!("-{word}")));
                wording.is_ordered = true;
            } else if DIRECTED.contains(&word) || is_direction(word) {
                wording.is_ordered = true;
            } else if let Some(word) = classified(word) {
                wording.is_ordered |= word.is_demand;
                wording.words.push(word);
            }
            if wording.words.len() > MAX_WORDS {
                return Self::default();
            }
        }
        wording
    }

    pub(super) fn weight(&self) -> u32 {
        self.words.iter().map(|word| word.weight).sum()
    }
}

/// `None` for stop words, white space and marks.
fn classified(word: &str) -> Option<Word> {
    let demand = |text: &str| Some(Word::demand(text));
    if is_comparison(word) {
        return demand(word);
    }
    if !word.contains(char::is_alphanumeric) || STOP_WORDS.contains(&word) {
        return None;
    }
    if word.ends_with("n't") || (word.ends_with("nt") && CONTRACTED.contains(&word)) {
        return demand("not");
    }
    let mut groups = DEMANDS.split(", ").chain(NUMBERS.split(", "));
    if let Some(group) = groups.find(|group| group.split(' ').any(|known| known == word)) {
        return demand(first_of(group));
    }
    if word.starts_with(|c: char| c.is_numeric()) {
        return demand(word);
    }
    let is_synonym = |group: &&str| group.split(' ').any(|known| inflected(known, word));
    let text = SYNONYMS.split(", ").find(is_synonym).map_or(word, first_of);
    Some(Word { text: text.to_owned(), is_demand: false, weight: weight(word) })
}

fn first_of(group: &str) -> &str {
    group.split(' ').next().unwrap_or(group)
}

/// Contractions of `not` whose apostrophe was left out or curled.
const CONTRACTED: &[&str] = &["dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "shouldnt"];

/// Whether a mark sets a bound or a sign.
fn is_comparison(mark: &str) -> bool {
    matches!(mark, "<" | ">" | "≤" | "≥" | "≠" | "%" | "$" | "€" | "!" | "+")
}

/// Whether the last two tokens before a number make it negative: a minus that does not join two
/// words.
fn is_sign([before, last]: [&str; 2]) -> bool {
    matches!(last, "-" | "\u{2212}") && !before.ends_with(char::is_alphanumeric)
}

/// Whether a mark tells its two sides apart.
fn is_direction(mark: &str) -> bool {
    matches!(mark, "-" | "\u{2212}" | "/" | "\\" | "→" | "←" | "⇒" | "=")
}

/// Letters, where a Chinese character counts as two.
fn weight(word: &str) -> u32 {
    let letters = word.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 });
    letters.sum()
}

/// Whether two words differ in their endings only; words with digits never do.
fn inflected(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let is_plain = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase());
    let common = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    if common < 3 || !is_plain(one) || !is_plain(other) {
        return false;
    }
    // The common part may include the start of both endings: `copies` and `copied`.
    (common.saturating_sub(1).max(3)..=common)
        .any(|at| ENDINGS.contains(&&one[at..]) && ENDINGS.contains(&&other[at..]))
}
