/// Takes times; tests bring a clock of their own.
@_spi(Benchmarks) public struct Stopwatch: Sendable {
    /// The time since a moment that stays the same.
    public typealias Clock = @Sendable () -> Duration

    private let clock: Clock

    /// Creates a stopwatch on a clock.
    public init(_ clock: @escaping Clock) { self.clock = clock }

    /// Creates a stopwatch on the system's clock, which never goes back.
    public init() {
        let origin = ContinuousClock.now
        clock = { origin.duration(to: .now) }
    }

    /// How many milliseconds a piece of work takes.
    public func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = clock()
        try work()
        return milliseconds(since: start)
    }

    /// The time now.
    func now() -> Duration { clock() }

    /// How many milliseconds have passed since a moment.
    func milliseconds(since start: Duration) -> Double {
        let (seconds, attoseconds) = (clock() - start).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
