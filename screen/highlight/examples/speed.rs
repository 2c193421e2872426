//! Prints how long the first line takes and how long 1,000 lines take:
//! `cargo run --release -p fen-highlight --example speed`.

use std::time::Instant;

use fen_highlight::Highlighter;

const LINES: usize = 1_000;

const SAMPLES: [(&str, &str); 3] = [
    (
        "rust",
        "/// What it does.\n#[derive(Debug)]\npub fn load<'a>(path: &'a Path, n: u32) -> Result<Vec<u8>> {\n    \
         let text = std::fs::read_to_string(path)?; // read\n    println!(\"read {} of {n}\\n\", text.len());\n}\n",
    ),
    (
        "python",
        "@cached\nasync def load(path: str, n: int = 3) -> list[bytes]:\n    \"\"\"What it does.\"\"\"\n    \
         async with open(path) as file:  # read\n        return [f\"{n:>4} {line!r}\" for line in file]\n\n",
    ),
    (
        "json",
        "{\n  \"name\": \"value \\n\",\n  \"list\": [1, 2.5e3, true, null],\n  \"deep\": { \"a\": {} }\n},\n",
    ),
];

fn main() {
    for (language, sample) in SAMPLES {
        let text: String =
            sample.lines().cycle().take(LINES).flat_map(|line| [line, "\n"]).collect();
        let start = Instant::now();
        let mut highlighter = Highlighter::new();
        highlighter.block(language, text.lines().next().unwrap_or(""), &|| false);
        let first = start.elapsed();
        let start = Instant::now();
        let runs: usize =
            highlighter.block(language, &text, &|| false).iter().map(|line| line.len()).sum();
        let took = start.elapsed();
        println!("{language}: first line {first:.1?}, {LINES} lines {took:.2?}, {runs} runs");
    }
}
