//! The daemon's own part of a snapshot: the tree as text, with and without a budget, and its parsing.

use std::hint::black_box;

use benches::{Size, criterion, must, snapshot};
use bridge::render::{self, Fence, Rendered, SNAPSHOT_BUDGET, View};
use criterion::{BenchmarkId, Throughput};
use protocol::Snapshot;

fn main() {
    let mut criterion = criterion();
    let mut group = criterion.benchmark_group("snapshot_render");
    let fence = Fence::with_nonce("5f2c9a");
    for size in Size::ALL {
        let page = snapshot(size);
        let text = must(serde_json::to_string(&page).map_err(Into::into));
        group.throughput(Throughput::Elements(page.frames.iter().map(|frame| frame.nodes.len() as u64).sum()));
        group.bench_with_input(BenchmarkId::new("budget", size.letter()), &page, |bencher, page| {
            bencher.iter(|| shown(black_box(page), &fence, SNAPSHOT_BUDGET));
        });
        group.bench_with_input(BenchmarkId::new("whole", size.letter()), &page, |bencher, page| {
            bencher.iter(|| shown(black_box(page), &fence, usize::MAX));
        });
        group.bench_with_input(BenchmarkId::new("parse", size.letter()), &text, |bencher, text| {
            bencher.iter(|| must(serde_json::from_str::<Snapshot>(black_box(text)).map_err(Into::into)));
        });
    }
    group.finish();
    criterion.final_summary();
}

fn shown(page: &Snapshot, fence: &Fence, budget: usize) -> Rendered {
    render::page(page, &render::outline(page, false), &View { budget, ..View::default() }, fence)
}
