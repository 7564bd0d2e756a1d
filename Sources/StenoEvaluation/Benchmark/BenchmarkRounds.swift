/// Repeats a measurement.
struct BenchmarkRounds {
    /// The number of measured rounds.
    let runs: Int
    let isCancelled: () -> Bool
    let progress: (String) -> Void

    /// Runs one warm-up round, since caches are cold and memory is untouched at first, and then measures.
    func go(_ name: String, _ report: inout SpeedReport, _ round: () throws -> [SpeedFigure: Double]) throws {
        for run in 0...runs {
            guard !isCancelled() else { throw CancellationError() }
            progress(run == 0 ? "\(name): warming up" : "\(name): \(run) of \(runs)")
            let measurements = try round()
            if run > 0 { report.add(measurements) }
        }
    }
}
