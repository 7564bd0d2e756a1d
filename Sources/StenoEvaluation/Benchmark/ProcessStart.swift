/// The start-up times and the peak memory of a new process.
struct ProcessStart: Hashable {
    /// Milliseconds from the start to the loaded model.
    var loaded: Double
    /// Milliseconds from the start to the first token; nil for a model that does not report it.
    var firstToken: Double?
    /// The peak memory, in MB, after a whole window.
    var peakMegabytes: Double

    /// The lines with which the process reports its progress.
    enum Report {
        static let loaded = "loaded"
        static let firstToken = "first token"

        static func peak(_ megabytes: Double) -> String { "peak \(megabytes)" }
    }

    /// Reads the lines of a process as they arrive.
    ///
    /// - Parameter next: Waits for the next line; nil at the end.
    /// - Returns: nil when the process ended before it had reported everything.
    init?(start: Duration, _ stopwatch: Stopwatch, next: () throws -> String?) rethrows {
        guard try next() == Report.loaded else { return nil }
        loaded = stopwatch.milliseconds(since: start)
        var line = try next()
        if line == Report.firstToken {
            firstToken = stopwatch.milliseconds(since: start)
            line = try next()
        }
        guard let line, line.hasPrefix("peak "), let peak = Double(line.dropFirst(5)) else { return nil }
        peakMegabytes = peak
    }

    /// The measured figures.
    var figures: [SpeedFigure: Double] {
        var figures: [SpeedFigure: Double] = [.load: loaded, .peakMemory: peakMegabytes]
        figures[.coldStart] = firstToken
        return figures
    }
}
