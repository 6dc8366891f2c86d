//! temp
fn main() {
    for p in std::env::args().skip(1) {
        let disk = evalbook::files::Disk::open(std::path::Path::new(&p)).unwrap();
        let name = disk.root().file_name().unwrap().to_string_lossy().into_owned();
        let loaded = evalbook::pipeline::load(&disk, &name, &p);
        for (w, _) in &loaded.workspaces {
            let t = w.totals();
            println!("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", w.path, t.iterations, t.tally.total(), t.tally.passed, t.tally.ungraded, t.runs, t.graded_runs, t.cases, t.configurations);
            if std::env::var("V").is_ok() {
                for it in &w.iterations { println!("  {} {:?} implicit={} {:?} bench={} fb={} cmp={}", it.name, it.path, it.implicit, it.configurations, it.benchmarks.len(), it.feedback.len(), it.comparisons.len());
                    for c in &it.cases { println!("    {:?} [{}] id={:?} prompt={}", c.name, c.folder, c.id, c.prompt.is_some()); for r in &c.runs { println!("      {} {} {:?} g={} {:?} outs={} {:?} {:?}", r.configuration, r.number, r.path, r.gradings.len(), r.tally(), r.outputs.len(), r.metrics.duration_s, r.metrics.tokens); } } }
                for p in &w.problems { println!("  {}[{}] {}:{:?} {}", p.severity().word(), p.code.word(), p.path, p.place, p.sentence()); }
                for i in &w.ignored { println!("  ignored {} {}", i.path, i.reason); }
            }
        }
    }
}
