/// Measures time; tests use their own clock.
@_spi(Benchmarks) public struct Stopwatch: Sendable {
    /// The time since a fixed moment.
    public typealias Clock = @Sendable () -> Duration

    private let clock: Clock

    /// Creates a stopwatch on a clock.
    public init(_ clock: @escaping Clock) { self.clock = clock }

    /// Creates a stopwatch with the system's monotonic clock.
    public init() {
        let origin = ContinuousClock.now
        clock = { origin.duration(to: .now) }
    }

    /// The duration of some work in milliseconds.
    public func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = clock()
        try work()
        return milliseconds(since: start)
    }

    /// The time now.
    func now() -> Duration { clock() }

    /// The milliseconds since a moment.
    func milliseconds(since start: Duration) -> Double {
        let (seconds, attoseconds) = (clock() - start).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
