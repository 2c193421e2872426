//! Colours of code and the rows of long texts, made on a thread of their own so that no key waits for
//! them.

use crate::app::{Wanted, WantedRows};
use crate::input::Input;
use crate::presenter::Link;
use fen_cells::Role;
use fen_highlight::{Highlighter, Token};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

/// What is to be made.
enum Order {
    Colours(Wanted),
    Rows(WantedRows),
}

/// The thread that makes it; it begins with the first order.
pub(crate) struct Maker {
    link: Arc<Link>,
    orders: Option<mpsc::Sender<Order>>,
    is_over: Arc<AtomicBool>,
}

impl Maker {
    pub fn new(link: Arc<Link>) -> Maker {
        Maker { link, orders: None, is_over: Arc::default() }
    }

    /// Has the colours of some code made.
    pub fn colours(&mut self, wanted: Wanted) {
        self.order(Order::Colours(wanted));
    }

    /// Has the rows of a long text made.
    pub fn rows(&mut self, wanted: WantedRows) {
        self.order(Order::Rows(wanted));
    }

    fn order(&mut self, order: Order) {
        let orders =
            self.orders.get_or_insert_with(|| begin(self.link.clone(), self.is_over.clone()));
        // Without the thread code stays plain, and a long text is laid out here, however long it takes.
        if let Err(mpsc::SendError(Order::Rows(wanted))) = orders.send(order) {
            self.link.mailbox.push(laid_out(&wanted));
        }
    }

    /// Nothing is wanted any more.
    pub fn end(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.orders = None;
    }
}

fn begin(link: Arc<Link>, is_over: Arc<AtomicBool>) -> mpsc::Sender<Order> {
    let (orders, taken) = mpsc::channel::<Order>();
    let work = move || {
        let mut highlighter = Highlighter::new();
        for order in taken {
            let cancelled = || is_over.load(Ordering::Relaxed);
            if cancelled() {
                return;
            }
            link.mailbox.push(match order {
                Order::Colours(wanted) => {
                    let lines = highlighter.block(&wanted.language, &wanted.code, &cancelled);
                    let roles = lines.into_iter().map(|line| {
                        line.into_iter().map(|run| (run.len, role(run.token))).collect()
                    });
                    Input::Inked { key: wanted.key, runs: Arc::new(roles.collect()) }
                }
                Order::Rows(wanted) => laid_out(&wanted),
            });
        }
    };
    // Without the thread the channel has no other end, and code stays plain.
    let _ = std::thread::Builder::new().name("layout".to_owned()).spawn(work);
    orders
}

/// The rows of a long text. Code in it stays plain.
fn laid_out(wanted: &WantedRows) -> Input {
    let place = wanted.place;
    let rows = fen_markdown::layout(wanted.text.as_str(), place.cells, &fen_markdown::Plain);
    Input::LaidOut { place, rows: rows.into() }
}

fn role(token: Token) -> Role {
    match token {
        Token::Keyword => Role::Keyword,
        Token::Function => Role::Function,
        Token::Type => Role::Type,
        Token::String => Role::String,
        Token::Number => Role::Number,
        Token::Comment => Role::Comment,
        Token::Constant | Token::Escape => Role::Constant,
        Token::Operator => Role::Operator,
        Token::Attribute | Token::Property | Token::Variable => Role::Attribute,
        Token::Link => Role::Link,
        Token::Tag => Role::Tag,
        Token::Added => Role::Added,
        Token::Removed => Role::Removed,
        Token::Heading => Role::Heading,
        Token::Invalid => Role::Error,
        // The ground is the block's, or the changed line's.
        _ => Role::Text,
    }
}
