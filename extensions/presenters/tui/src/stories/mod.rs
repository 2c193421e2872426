//! Whole screens, each told by how it came to be.
//!
//! What a person sees goes through a virtual terminal, so that what is compared is what a terminal makes
//! of the bytes. `cargo insta review`, or `INSTA_UPDATE=always cargo test`, takes new screens over.

mod answers;
mod colours;
mod input;
mod looking;
mod manual;
mod overlays;
mod sizes;
mod streams;
mod tools;
mod working;

use crate::testing::Play;

/// A conversation with something of everything, 80 by 24.
fn conversation() -> Play {
    let mut play = Play::new(80, 24);
    play.said("Why does the build fail?")
        .answered("It fails because `parse` gives **two** values since the last change.")
        .done();
    play
}

/// A conversation that is longer than the screen.
fn long_conversation() -> Play {
    let mut play = Play::new(60, 16);
    for number in 1..=12 {
        play.said(&format!("question {number}"))
            .answered(&format!("Answer {number}: the needle is in haystack {number}."))
            .done();
    }
    play
}
