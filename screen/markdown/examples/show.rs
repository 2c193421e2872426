//! Shows a Markdown file as rows: `show FILE WIDTH`.

use fen_markdown::{Plain, layout};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().and_then(|path| std::fs::read_to_string(path).ok());
    let cells = arguments.next().and_then(|cells| cells.parse().ok()).unwrap_or(80);
    for line in layout(&text.unwrap_or_default(), cells, &Plain) {
        println!("{}", line.text());
    }
}
