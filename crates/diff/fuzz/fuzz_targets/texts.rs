#![no_main]

#[path = "../check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|texts: (&str, &str)| check::check(texts.0, texts.1));
