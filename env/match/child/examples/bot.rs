// A player for privateer that takes the first legal action. It needs no crate, and so it searches the lines for the two
// numbers that it needs, which come before all else; a player that reads more should use serde_json. rustc -O bot.rs
use std::io::{self, BufRead, Write};

// The number that follows a mark in a line.
fn number(line: &str, mark: &str) -> Option<i64> {
    let rest = &line[line.find(mark)? + mark.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with(r#"{"type":"hello""#) {
            writeln!(out, r#"{{"type":"hello","protocol":1,"name":"first in Rust"}}"#)?;
        } else if line.starts_with(r#"{"type":"decide""#) {
            let id = number(&line, r#""id":"#).unwrap();
            let action = number(&line, r#""legal":[{"action":"#).unwrap();
            writeln!(out, r#"{{"id":{id},"action":{action}}}"#)?;
        } else if line.starts_with(r#"{"type":"quit""#) {
            break;
        }
        out.flush()?;
    }
    Ok(())
}
