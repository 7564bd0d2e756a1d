/// Repeats a measurement.
struct BenchmarkRounds {
    /// How many rounds count.
    let runs: Int
    let isCancelled: () -> Bool
    let progress: (String) -> Void

    /// Goes round once for nothing, since the first time caches are cold and memory is new, and then takes measurements.
    func go(_ name: String, _ report: inout SpeedReport, _ round: () throws -> [SpeedFigure: Double]) throws {
        for run in 0...runs {
            guard !isCancelled() else { throw CancellationError() }
            progress(run == 0 ? "\(name): warming up" : "\(name): \(run) of \(runs)")
            let measurements = try round()
            if run > 0 { report.add(measurements) }
        }
    }
}
