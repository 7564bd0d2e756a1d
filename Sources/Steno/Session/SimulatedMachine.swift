/// The time of a simulated machine whose cores all running decodings share: two at once take twice as long.
final class SimulatedMachine {
    /// The work that is left of each running decoding, in samples of audio time, by the decoding's queue.
    private var left: [ObjectIdentifier: Double] = [:]
    private var clock = 0
    /// Less than a sample is a rounding error.
    private static let least = 0.5

    /// Begins a decoding at a position, which alone would take `cost` samples.
    func begin(_ queue: AnyObject, cost: Int, at position: Int) {
        advance(to: position)
        left[ObjectIdentifier(queue)] = Double(cost)
    }

    /// Whether the decoding of a queue has ended by a position.
    func hasEnded(_ queue: AnyObject, at position: Int) -> Bool {
        advance(to: position)
        return left[ObjectIdentifier(queue)].map { $0 < Self.least } ?? true
    }

    /// Ends the decoding of a queue, for a caller that waits for it.
    func end(_ queue: AnyObject) { left[ObjectIdentifier(queue)] = nil }

    private func advance(to position: Int) {
        var time = Double(max(position - clock, 0))
        clock = max(clock, position)
        while time > 0 {
            let busy = left.filter { $0.value >= Self.least }
            guard let least = busy.values.min() else { return }
            let share = min(least, time / Double(busy.count))
            for queue in busy.keys { left[queue, default: 0] -= share }
            time -= share * Double(busy.count)
        }
    }
}
