//! The languages of source files, in one table.

use text::is_listed;

/// Facts about a language that a tokenizer needs.
#[derive(Debug)]
pub struct CodeLanguage {
    /// What pages call it, such as `Python`.
    pub name: &'static str,
    /// Extensions, file names and fence names, in lower case, separated by spaces.
    names: &'static str,
    /// Starts of line comments, separated by spaces.
    pub line: &'static str,
    /// Start and end of other comments; empty for none.
    pub block: (&'static str, &'static str),
    /// Quotes of strings that may span lines, longest first, separated by spaces.
    pub long: &'static str,
    /// Quotes of strings that end with the line.
    pub short: &'static str,
    /// Whether keywords count in upper and lower case, as in SQL.
    pub any_case: bool,
    /// Words marked as keywords, separated by spaces.
    pub keywords: &'static str,
}

const C_FAMILY: CodeLanguage = CodeLanguage {
    name: "",
    names: "",
    line: "//",
    block: ("/*", "*/"),
    long: "",
    short: "\"'",
    any_case: false,
    keywords: "",
};

const HASHED: CodeLanguage = CodeLanguage { line: "#", block: ("", ""), ..C_FAMILY };
const SCRIPT: CodeLanguage = CodeLanguage { long: "`", keywords: JAVASCRIPT, ..C_FAMILY };

const LANGUAGES: &[CodeLanguage] = &[
    CodeLanguage {
        name: "Python",
        names: "py pyi python python3",
        long: "\"\"\" '''",
        keywords: "and as assert async await break case class continue def del elif else except \
            finally for from global if import in is lambda match nonlocal not or pass raise return \
            try while with yield True False None self",
        ..HASHED
    },
    CodeLanguage { name: "JavaScript", names: "js mjs cjs jsx javascript", ..SCRIPT },
    CodeLanguage { name: "TypeScript", names: "ts tsx mts cts typescript", ..SCRIPT },
    CodeLanguage {
        name: "Shell",
        names: "sh bash zsh ksh fish shell console",
        long: "\" '",
        short: "",
        keywords: "if then elif else fi for while until do done case esac in function return local \
            export readonly set unset shift exit break continue trap source eval exec echo cd",
        ..HASHED
    },
    CodeLanguage {
        name: "Rust",
        names: "rs rust",
        long: "\"",
        short: "",
        keywords: "as async await break const continue crate dyn else enum extern false fn for if \
            impl in let loop match mod move mut pub ref return self Self static struct super trait \
            true type unsafe use where while",
        ..C_FAMILY
    },
    CodeLanguage {
        name: "Go",
        names: "go golang",
        long: "`",
        keywords: "break case chan const continue default defer else fallthrough false for func go \
            goto if import interface map nil package range return select struct switch true type var",
        ..C_FAMILY
    },
    CodeLanguage { name: "Java", names: "java", long: "\"\"\"", keywords: JAVA, ..C_FAMILY },
    CodeLanguage {
        name: "Kotlin",
        names: "kt kts kotlin",
        long: "\"\"\"",
        keywords: "as break class companion const continue data do else false for fun if import in \
            interface internal is lateinit null object open override package private protected \
            public return sealed super suspend this throw true try typealias val var when while",
        ..C_FAMILY
    },
    CodeLanguage { name: "C", names: "c h", keywords: C, ..C_FAMILY },
    CodeLanguage { name: "C++", names: "cpp cc cxx hpp hh c++", keywords: C, ..C_FAMILY },
    CodeLanguage { name: "C#", names: "cs csharp c#", keywords: JAVA, ..C_FAMILY },
    CodeLanguage {
        name: "Swift",
        names: "swift",
        long: "\"\"\"",
        keywords: "as associatedtype async await break case catch class continue default defer do \
            else enum extension false fileprivate for func guard if import in init inout internal is \
            let nil override private protocol public return self static struct super switch throw \
            throws true try typealias var where while",
        ..C_FAMILY
    },
    CodeLanguage { name: "Scala", names: "scala sc", long: "\"\"\"", keywords: JAVA, ..C_FAMILY },
    CodeLanguage {
        name: "PHP",
        names: "php",
        line: "// #",
        keywords: "abstract array as break case catch class const continue default do echo else \
            elseif extends false final finally fn for foreach function global if implements include \
            interface match namespace new null private protected public readonly require return \
            static switch throw true try use var while",
        ..C_FAMILY
    },
    CodeLanguage {
        name: "Ruby",
        names: "rb ruby rake gemspec gemfile rakefile",
        keywords: "alias and begin break case class def do else elsif end ensure false for if in \
            module next nil not or private protected public raise redo require rescue retry return \
            self super then true undef unless until when while yield",
        ..HASHED
    },
    CodeLanguage {
        name: "SQL",
        names: "sql psql mysql sqlite",
        line: "--",
        long: "'",
        short: "",
        any_case: true,
        keywords: "add all alter and as asc begin between by case cast check coalesce column commit \
            constraint create cross current default delete desc distinct drop else end except exists \
            foreign from full grant group having if in index inner insert intersect into is join key \
            left like limit not null offset on or order outer over partition primary references \
            returning right rollback select set table then trigger true false union unique update \
            using values view when where window with",
        ..C_FAMILY
    },
    CodeLanguage { name: "YAML", names: "yaml yml", keywords: "true false null yes no", ..HASHED },
    CodeLanguage {
        name: "TOML",
        names: "toml",
        long: "\"\"\" '''",
        keywords: "true false",
        ..HASHED
    },
    CodeLanguage { name: "INI", names: "ini cfg conf properties env", line: "# ;", ..HASHED },
    CodeLanguage {
        name: "Dockerfile",
        names: "dockerfile containerfile docker",
        keywords: "FROM AS RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG \
            ONBUILD STOPSIGNAL HEALTHCHECK SHELL",
        ..HASHED
    },
    CodeLanguage {
        name: "Makefile",
        names: "makefile mk make",
        keywords: "ifeq ifneq ifdef ifndef else endif include define endef export override",
        ..HASHED
    },
    CodeLanguage {
        name: "R",
        names: "r",
        keywords: "if else for while repeat function return next break TRUE FALSE NULL NA NaN Inf in \
            library require",
        ..HASHED
    },
    CodeLanguage {
        name: "Perl",
        names: "pl pm perl",
        keywords: "my our local sub use no package if elsif else unless while until for foreach last \
            next redo return die print and or not eq ne lt gt le ge cmp",
        ..HASHED
    },
    CodeLanguage {
        name: "PowerShell",
        names: "ps1 psm1 powershell pwsh",
        block: ("<#", "#>"),
        any_case: true,
        keywords: "begin break catch continue do else elseif end exit filter finally for foreach \
            function if in param process return switch throw trap try until while",
        ..HASHED
    },
    CodeLanguage {
        name: "Lua",
        names: "lua",
        line: "--",
        block: ("--[[", "]]"),
        keywords: "and break do else elseif end false for function goto if in local nil not or \
            repeat return then true until while",
        ..C_FAMILY
    },
    CodeLanguage { name: "CSS", names: "css scss less", line: "", ..C_FAMILY },
    CodeLanguage {
        name: "Terraform",
        names: "tf tfvars hcl",
        line: "# //",
        keywords: "true false null resource variable output module provider data locals for in if",
        ..C_FAMILY
    },
    CodeLanguage {
        name: "JSON",
        names: "json json5 jsonc",
        keywords: "true false null",
        ..C_FAMILY
    },
    CodeLanguage {
        name: "XML",
        names: "xml xsd xsl html htm svg vue",
        line: "",
        block: ("<!--", "-->"),
        ..C_FAMILY
    },
];

const JAVASCRIPT: &str = "abstract as async await break case catch class const continue debugger \
    declare default delete do else enum export extends false finally for from function get if \
    implements import in instanceof interface is keyof let namespace new null of private protected \
    public readonly return set static super switch this throw true try type typeof undefined var \
    void while yield string number boolean any unknown never";

const JAVA: &str = "abstract async await base boolean bool break byte case catch char class const \
    continue decimal def default delegate do double else enum event extends false final finally \
    float for foreach get if implements import in instanceof int interface internal is lock long \
    match namespace new null object out override package private protected public readonly record \
    ref return sealed set short static string struct super switch this throw throws trait true try \
    typeof using val var virtual void volatile when where while with yield";

const C: &str = "auto bool break case catch char class const constexpr continue default delete do \
    double else enum explicit extern false final float for friend goto if inline int long namespace \
    new noexcept nullptr operator override private protected public register return short signed \
    sizeof static struct switch template this throw true try typedef typename union unsigned using \
    virtual void volatile while NULL size_t";

/// The language of a file, by its extension in lower case or its name.
pub(crate) fn for_file(extension: &str, name: &str) -> Option<&'static CodeLanguage> {
    match extension {
        // They are shown by their kind, and colored only within Markdown.
        "json" | "htm" | "html" | "svg" => None,
        "" => named(&name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase()),
        _ => named(extension),
    }
}

/// The language with a name in lower case.
pub fn named(name: &str) -> Option<&'static CodeLanguage> {
    LANGUAGES.iter().find(|language| is_listed(language.names, name))
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, for_file, named};

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> =
            LANGUAGES.iter().flat_map(|language| language.names.split(' ')).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn files_are_known_by_extension_or_name() {
        assert_eq!(for_file("rs", "main.rs").map(|language| language.name), Some("Rust"));
        assert_eq!(for_file("", "a/Makefile").map(|language| language.name), Some("Makefile"));
        assert_eq!(for_file("", "README").map(|language| language.name), None);
        assert_eq!(named("").map(|named| named.name), None);
    }
}
