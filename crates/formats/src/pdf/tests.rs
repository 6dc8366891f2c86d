use proptest::prelude::*;

use crate::pdf::text;

const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/// A PDF of one page with this content and font; `more` are further objects.
fn pdf(content: &str, font: &str, more: &str) -> Vec<u8> {
    let text = format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Kids [3 0 R] /Resources << /Font << /F1 4 0 R >> /XObject << /X 6 0 R >> >> >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Contents 5 0 R >>\nendobj\n\
         4 0 obj\n{font}\nendobj\n\
         5 0 obj\n<< >>\nstream\n{content}\nendstream\nendobj\n{more}\n%%EOF"
    );
    text.into_bytes()
}

fn printed(content: &str) -> Option<String> {
    text(&pdf(content, FONT, "")).map(|text| text.trim_end().to_owned())
}

#[test]
fn lines_follow_the_pen() {
    let lines = "BT /F1 12 Tf 10 700 Td (La) Tj 30 0 Td (te) Tj ET BT 60 700 Td (shipments) Tj 0 -14 Td [(in) -300 (May)] TJ T* (end) ' ET";
    assert_eq!(printed(lines).as_deref(), Some("Late shipments\nin May\nend"));
    let kerned = "BT /F1 12 Tf 1 0 0 1 10 700 Tm [(W) 80 (ord)] TJ 1 0 0 1 10 680 Tm (next) Tj ET";
    assert_eq!(printed(kerned).as_deref(), Some("Word\nnext"));
    let paragraphs = "q 1 0 0 1 0 9 cm BT /F1 9 Tf (a) Tj ET Q q 1 0 0 1 0 5 cm BT (b) Tj ET Q";
    assert_eq!(printed(paragraphs).as_deref(), Some("a\nb"));
}

#[test]
fn letters_that_are_placed_one_by_one_are_words() {
    let place = |(at, letter): (usize, char)| {
        format!("BT 1 0 0 1 {} 700 Tm /F1 12 Tf ({letter}) Tj ET ", 9 + 7 * at)
    };
    let one_by_one: String = "to ken".chars().enumerate().map(place).collect();
    assert_eq!(printed(&one_by_one).as_deref(), Some("to ken"));
    let cells = "BT 1 0 0 1 9 700 Tm /F1 12 Tf (a) Tj ET BT 1 0 0 1 60 700 Tm (b) Tj ET";
    assert_eq!(printed(cells).as_deref(), Some("a b"));
}

#[test]
fn a_picture_in_the_page_prints_nothing() {
    let page = "BI /W 1 ID (no) Tj ( EI BT /F1 9 Tf (yes) Tj ET";
    assert_eq!(printed(page).as_deref(), Some("yes"));
    assert_eq!(printed("0 0 10 10 re f"), None);
}

#[test]
fn a_font_without_letters_has_no_text() {
    let font = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H >>";
    assert_eq!(text(&pdf("BT /F1 9 Tf <0001> Tj ET", font, "")), None);
    let font = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 7 0 R >>";
    let table =
        "7 0 obj << >> stream\n<0000> <FFFF> endcodespacerange <0001> <0041> endbfchar\nendstream";
    let actual = text(&pdf("BT /F1 9 Tf <0001> Tj ET", font, table));
    assert_eq!(actual.as_deref(), Some("A\n\n"));
}

#[test]
fn a_form_prints_where_it_is_drawn() {
    let form = "6 0 obj << /Subtype /Form >> stream\nBT /F1 9 Tf (inside) Tj ET\nendstream";
    assert_eq!(text(&pdf("/X Do", FONT, form)).as_deref(), Some("inside\n\n"));
    let ring = "6 0 obj << /Subtype /Form >> stream\n/X Do\nendstream";
    assert_eq!(text(&pdf("/X Do", FONT, ring)), None);
}

#[test]
fn objects_may_be_packed_together() {
    let packed = "4 0 \n<< /Type /Font >>";
    let holder = format!("8 0 obj << /Type /ObjStm /First 5 >> stream\n{packed}\nendstream");
    let file = String::from_utf8(pdf("BT /F1 9 Tf (x) Tj ET", FONT, &holder)).expect("text");
    let file = file.replace("4 0 obj", "9 0 obj");
    assert_eq!(text(file.as_bytes()).as_deref(), Some("x\n\n"));
}

#[test]
fn an_encrypted_file_has_no_text() {
    let file = pdf("BT /F1 9 Tf (x) Tj ET", FONT, "trailer << /Encrypt 9 0 R >>");
    assert_eq!(text(&file), None);
}

#[test]
fn the_work_does_not_grow_with_references() {
    let many = format!("3 0 obj << /Contents [{}] >>", "5 0 R ".repeat(200_000));
    assert_eq!(text(&pdf("BT /F1 9 Tf (x) Tj ET", FONT, &many)), None);
    assert_eq!(text(&"1 0 obj(".repeat(200_000).into_bytes()), None);
}

proptest! {
    #[test]
    fn no_file_panics(cuts in prop::collection::vec((0_usize..700, any::<u8>()), 0..20)) {
        let form = "6 0 obj << /Subtype /Form >> stream\nBT /F1 9 Tf (inside) Tj ET\nendstream";
        let mut file = pdf("BT /F1 9 Tf [(a) -300 <41>] TJ (b) ' ET /X Do", FONT, form);
        for (at, byte) in cuts {
            let length = file.len();
            file[at % length] = byte;
        }
        text(&file);
    }
}
