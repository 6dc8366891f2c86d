//! What `check` says of the cases of made-up skills: some clean, some with one fault each, three in scripts
//! without spaces between all words.

use serde_json::{Value, json};

use crate::support::{Workspace, grading, html, read_text};

struct MadeUp {
    name: &'static str,
    skill: &'static str,
    /// The prompt, its checks, and its expected output.
    cases: &'static [(&'static str, &'static [&'static str], &'static str)],
    /// Whether a further case says that the skill should stay out.
    stays_out: bool,
    /// The kinds that are found, with the beginning of the text.
    found: &'static [(&'static str, &'static str)],
}

const SKILLS: &[MadeUp] = &[
    MadeUp {
        name: "clean",
        skill: "# Tide tables\nRound times to five minutes.\n",
        cases: &[
            (
                "Make a tide table for Bergen in May.",
                &["Times end in 0 or 5", "The lowest water of the month is marked"],
                "",
            ),
            (
                "When can I enter the harbour of Vardø?",
                &["Gives a window of at least one hour", "Names the chart datum"],
                "",
            ),
            (
                "Compare the springs of Brest and Dover.",
                &["Both ranges are in meters", "The pattern is /^\\d+ m$/m"],
                "12 m",
            ),
        ],
        stays_out: true,
        found: &[],
    },
    MadeUp {
        name: "exact",
        skill: "",
        cases: &[
            (
                "Check the package with GitHub Actions before its release.",
                &[
                    "Uses use_github_action() for the package check",
                    "The release of the package waits 30 days",
                ],
                "",
            ),
            (
                "Save the minutes of the call.",
                &[
                    "No minutes are lost in the call",
                    "Explains why the minutes of the call are short",
                ],
                "",
            ),
        ],
        stays_out: true,
        found: &[],
    },
    MadeUp {
        name: "broken",
        skill: "",
        cases: &[("List the decisions.", &["/^## Decisions($/m", "/(?<=a)b/"], "")],
        stays_out: true,
        found: &[("broken-pattern", "/^## Decisions($/m")],
    },
    MadeUp {
        name: "misses",
        skill: "",
        cases: &[
            (
                "List what was agreed.",
                &["/^## Decisions$/m", "/^## Decisions taken$/m"],
                "# Minutes\n## Decisions taken\n- one",
            ),
            (
                "Sum the call up.",
                &["/^## Decisions$/m"],
                "A list of decisions, and who takes them.",
            ),
        ],
        stays_out: true,
        found: &[("pattern-misses-expected", "/^## Decisions$/m")],
    },
    MadeUp {
        name: "answered",
        skill: "",
        cases: &[(
            "Write the minutes of the board call and name the owner of each action. Save them as minutes.md.",
            &[
                "Names the owner of each action",
                "Every owner of an action has a deadline",
                "The quorum is stated",
            ],
            "",
        )],
        stays_out: true,
        found: &[("answered-by-prompt", "Names the owner"), ("mostly-answered", "Every owner")],
    },
    MadeUp {
        name: "asks",
        skill: "",
        cases: &[
            (
                "Plan a route to Lofoten.",
                &[
                    "SKILL.md was read before the answer",
                    "The skill was invoked",
                    "The route shows skill in sailing",
                ],
                "",
            ),
            ("Create a small skill for tides.", &["SKILL.md has a name"], ""),
        ],
        stays_out: true,
        found: &[
            ("asks-for-skill", "SKILL.md was read"),
            ("asks-for-skill", "The skill was invoked"),
        ],
    },
    MadeUp {
        name: "copied",
        skill: "# Orders\nSet `owner_of_order`.\n## Example\n```\nAnna orders twelve new chairs before the first of May\nmax_chairs_2024\n```\n",
        cases: &[(
            "Draft this week's purchase.",
            &[
                "It says that Anna orders twelve new chairs before the first of May",
                "It sets max_chairs_2024",
                "It sets owner_of_order",
            ],
            "",
        )],
        stays_out: true,
        found: &[
            ("copied-from-skill", "It says"),
            ("copied-from-skill", "It sets max_chairs_2024"),
        ],
    },
    MadeUp {
        name: "repeated",
        skill: "",
        cases: &[
            ("Clean up the ledger.", &["The file opens", "Rows are sorted", "Rows are sorted"], ""),
            ("Convert the price list.", &["The file opens"], ""),
            ("Merge both address books.", &["The file opens"], ""),
        ],
        stays_out: false,
        found: &[
            ("repeated", "Rows are sorted"),
            ("in-every-case", "The file opens"),
            ("no-case-without-skill", ""),
        ],
    },
    MadeUp {
        name: "two-things",
        skill: "",
        cases: &[
            (
                "Summarize the transcript of the Lisbon board meeting in May.",
                &[
                    "It lists three risks, and names a person for each",
                    "Names and dates are right. It is fine and has no limit.",
                ],
                "",
            ),
            (
                "Summarize the transcript of the Lisbon board meeting in June.",
                &["The tone is calm"],
                "",
            ),
        ],
        stays_out: true,
        found: &[("two-things", "It lists three risks"), ("alike-prompts", "Summarize")],
    },
    MadeUp {
        name: "chinese",
        skill: "",
        cases: &[
            (
                "請把會議紀錄整理成繁體中文摘要",
                &["會議紀錄是繁體中文摘要", "每項決議都有負責人", "沒有會議紀錄的原文"],
                "",
            ),
            ("替這封信擬一個標題", &["標題點出寄件人的請求"], ""),
        ],
        stays_out: true,
        found: &[("answered-by-prompt", "會議紀錄是繁體中文摘要")],
    },
    MadeUp {
        name: "japanese",
        skill: "",
        cases: &[(
            "議事録を要約して表にまとめる",
            &["要約して表にまとめる", "決定事項ごとに担当者がいる"],
            "",
        )],
        stays_out: true,
        found: &[("answered-by-prompt", "要約して表にまとめる")],
    },
    MadeUp {
        name: "korean",
        skill: "",
        cases: &[("회의록을 요약해 주세요", &["담당자 이름이 적혀 있다", "스킬이 호출되었다"], "")],
        stays_out: true,
        found: &[("asks-for-skill", "스킬이 호출되었다")],
    },
];

impl MadeUp {
    fn folder(&self) -> Workspace {
        let mut cases = Vec::new();
        for (at, (prompt, checks, expected)) in self.cases.iter().enumerate() {
            let mut case = json!({ "id": at + 1, "prompt": prompt, "expectations": checks });
            if !expected.is_empty() {
                case["expected_output"] = json!(expected);
            }
            cases.push(case);
        }
        if self.stays_out {
            let prompt = "Play a song / 放一首歌";
            cases.push(json!({ "id": 99, "prompt": prompt, "should_trigger": false }));
        }
        let evals = json!({ "skill_name": self.name, "evals": cases });
        let evals = serde_json::to_string_pretty(&evals).expect("JSON");
        let skill = format!("---\nname: {0}\ndescription: {0}\n---\n{1}", self.name, self.skill);
        Workspace::new().file("SKILL.md", skill).file("evals/evals.json", evals)
    }
}

fn findings(data: &Value) -> Vec<Value> {
    let all = data["workspaces"][0]["audit"]["findings"].as_array();
    all.unwrap_or_else(|| panic!("{data}")).clone()
}

#[test]
fn each_fault_of_made_up_skills_is_found_and_nothing_else() {
    for made in SKILLS {
        let folder = made.folder();
        let ran = folder.run(["check", "../workspace", "--format", "json"]);
        let found = findings(&ran.json());
        let kinds: Vec<&str> = found.iter().map(|one| one["kind"].as_str().unwrap()).collect();
        let expected: Vec<&str> = made.found.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, expected, "{}: {found:?}", made.name);
        for (one, (_, text)) in found.iter().zip(made.found) {
            assert!(one["text"].as_str().is_some_and(|found| found.starts_with(text)), "{one}");
            // Each has its place.
            assert!(text.is_empty() || one["line"].is_u64(), "{}: {one}", made.name);
        }
        // Errors end with 1, findings with 0, and with 1 under `--strict`.
        let is_error = kinds.contains(&"broken-pattern");
        ran.assert_code(i32::from(is_error));
        let hints = ["mostly-answered", "in-every-case", "no-case-without-skill"];
        let is_strict = kinds.iter().any(|kind| !hints.contains(kind));
        folder.run(["check", "../workspace", "--strict"]).assert_code(i32::from(is_strict));
    }
}

#[test]
fn findings_carry_what_became_of_them_and_the_first_page_links_them() {
    let made = SKILLS.iter().find(|made| made.name == "answered").expect("a skill");
    let mut folder = made.folder();
    for side in ["with_skill", "without_skill"] {
        for run in 1..=3 {
            let checks = grading(&[
                ("Names the owner of each action", true, "it does"),
                ("The quorum is stated", side == "with_skill", "so it is"),
            ]);
            folder = folder.file(&format!("iteration-1/1/{side}/run-{run}/grading.json"), checks);
        }
    }
    let ran = folder.run(["check", "../workspace", "--format", "json"]).assert_code(0);
    let found = findings(&ran.json());
    assert_eq!((&found[0]["passed"], &found[0]["graded"]), (&json!(6), &json!(6)), "{found:?}");
    let text = folder.run(["check", "../workspace"]).assert_code(0).stdout;
    let result =
        crate::support::words::text("audit.passed_both", &[("n", "6"), ("runs", "6 runs")]);
    assert!(text.contains(&result), "{text}");
    let report = folder.build();
    let overview = read_text(report.join("index.html"));
    assert!(overview.contains("expectations.html#audit"));
    let shown = html::accessible_texts(&read_text(report.join("expectations.html"))).join("\n");
    assert!(shown.contains(&result), "{shown}");
}
