//! Pictures embedded in a page as data.

use crate::budget::EMBEDDED_PICTURE;
use formats::picture::{extension, from_base64};

/// The forms of data that are pictures, as pages declare them.
const FORMS: &[&str] = &["png", "jpeg", "jpg", "gif", "webp"];

/// The picture in `address`: its prefix, such as `data:image/png;base64,`, and its bytes in pure
/// base64. `None` for every other address.
pub(super) fn embedded_picture(address: &str) -> Option<(&'static str, String)> {
    let address = address.trim();
    let (head, data) = address.get(..address.len().min(EMBEDDED_PICTURE))?.split_once(',')?;
    if address.len() > EMBEDDED_PICTURE || head.len() > 40 {
        return None;
    }
    let head = head.to_ascii_lowercase();
    let form = head.strip_prefix("data:image/")?.strip_suffix(";base64")?;
    if !FORMS.contains(&form) {
        return None;
    }
    let data: String = data.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let digits = data.trim_end_matches('=');
    if !digits.bytes().all(is_base64) || data.len() - digits.len() > 2 {
        return None;
    }
    // Its actual type counts, not the declared one.
    let head = match extension(&from_base64(digits.get(..16)?)?)? {
        "png" => "data:image/png;base64,",
        "jpg" => "data:image/jpeg;base64,",
        "gif" => "data:image/gif;base64,",
        _ => "data:image/webp;base64,",
    };
    Some((head, data))
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

#[cfg(test)]
mod tests {
    use super::embedded_picture;

    #[test]
    fn only_pictures_as_data_are_pictures() {
        let png = "iVBORw0KGgoAAAANSUhEUgAA";
        let kept = embedded_picture(&format!(" DATA:image/GIF;base64,{png} \n=="));
        assert_eq!(kept, Some(("data:image/png;base64,", format!("{png}=="))));
        let others = [
            "https://a.example/a.png".to_owned(),
            format!("data:image/svg+xml;base64,{png}"),
            format!("data:text/html;base64,{png}"),
            format!("data:image/png,{png}"),
            format!("data:image/png;base64,{png}\")"),
            format!("data:image/png;base64,{png}==="),
            format!("data:image/png;charset=x;base64,{png}"),
            "data:image/png;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==".to_owned(),
            "data:image/png;base64,".to_owned(),
            format!("data:image/png;base64,{png}{}", "A".repeat(300_000)),
            "data:image/png;base64,é".to_owned(),
            String::new(),
        ];
        for address in others {
            assert_eq!(embedded_picture(&address), None, "{address:.60}");
        }
    }
}
