//! What it takes to compile Fennel: a dense file, ten of them in one, and one with a macro.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run has no result")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fennel::{Options, compile};

/// About 200 lines as a person writes them: functions, destructuring, loops, matching, tables.
const DENSE: &str = include_str!("fennel/dense.fnl");

const MACROS: &str = "(macro unless2 [c ...] `(if (not ,c) (do ,...)))\n\
     (fn f [x] (unless2 x (print :no) 1))\n";

fn compiling(criterion: &mut Criterion) {
    let options = Options::default();
    let mut group = criterion.benchmark_group("fennel");
    let lines = DENSE.lines().count();
    for (name, times) in [("dense file", 1), ("ten times the file", 10), ("a hundred times", 100)] {
        let text: String = (0..times).map(|_| format!("(do\n{DENSE})\n")).collect();
        group.throughput(Throughput::Elements((lines * times) as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| compile("dense.fnl", black_box(&text), &options).expect("it compiles"));
        });
    }
    group.bench_function("read only", |bencher| {
        bencher.iter(|| fennel::parse("dense.fnl", black_box(DENSE)));
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("a file with a macro of its own", |bencher| {
        bencher.iter(|| compile("macros.fnl", black_box(MACROS), &options).expect("it compiles"));
    });
    group.finish();
}

criterion_group!(benches, compiling);
criterion_main!(benches);
