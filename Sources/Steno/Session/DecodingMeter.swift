import Foundation

/// Statistics shared by several threads.
final class DecodingMeter: @unchecked Sendable {
    // Sendable: accessed under the lock.
    private let lock = NSLock()
    private var value = LiveStatistics()

    var statistics: LiveStatistics { lock.withLock { value } }

    func add(_ seconds: Double) {
        lock.withLock {
            value.decodings += 1
            value.decodingSeconds += seconds
        }
    }

    func hear(_ samples: Int) { lock.withLock { value.audioSeconds += samples.seconds } }

    func shed(_ seconds: Double) { lock.withLock { value.shedSeconds += seconds } }
}
