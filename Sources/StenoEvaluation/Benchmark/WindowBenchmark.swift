@_spi(Benchmarks) import StenoWhisper

/// The stages of a window that are timed.
protocol StagedWindow {
    func computeFeatures() throws
    func encode()
    func fillCrossAttentionCache()
    func start(beams: Int) throws
    func step() throws
}

extension WindowStages: StagedWindow {}

/// Times the stages of a window.
struct WindowBenchmark {
    /// The number of tokens timed per run.
    let tokens: Int
    let stopwatch: Stopwatch

    /// Runs all stages once: each round measures every figure, so that a slow moment affects all of them.
    func round(_ window: some StagedWindow) throws -> [SpeedFigure: Double] {
        var figures: [SpeedFigure: Double] = [:]
        figures[.logMel] = try stopwatch.milliseconds { try window.computeFeatures() }
        figures[.encode] = stopwatch.milliseconds { window.encode() }
        figures[.crossAttentionCache] = stopwatch.milliseconds { window.fillCrossAttentionCache() }
        figures[.prompt] = try stopwatch.milliseconds { try window.start(beams: 1) }
        figures[.greedyToken] = try step(window)
        try window.start(beams: 5)
        figures[.beamStep] = try step(window)
        return figures
    }

    private func step(_ window: some StagedWindow) throws -> Double {
        try stopwatch.milliseconds { for _ in 0..<tokens { try window.step() } } / Double(tokens)
    }
}
