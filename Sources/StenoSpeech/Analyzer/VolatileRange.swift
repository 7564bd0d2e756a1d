import Foundation
import Steno

#if canImport(CoreMedia)
    import CoreMedia
#endif

/// The range of the audio whose results can still change, and the handler for its changes.
///
/// It extends from the first audio that is not final in all modules to the end of the audio taken.
final class VolatileRange: @unchecked Sendable {
    // Sendable: all state is accessed, and the handler is called, under the lock, so one thread at a time calls it.
    typealias Handler = (_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void

    private let lock = NSLock()
    private var handler: Handler?
    private var origin: AudioTime?
    /// The sample after the last one that was taken.
    private var end = 0
    /// The end of each module's final results, in samples.
    private var finals: [ObjectIdentifier: Int] = [:]
    private var last: Range<Int>?

    /// The range on the session's timeline; nil before the first audio.
    var range: CMTimeRange? { lock.withLock { last.flatMap(timeRange) } }

    func setHandler(_ handler: sending Handler?) { lock.withLock { self.handler = handler } }

    /// Notes that audio up to a sample was taken.
    func take(to sample: Int, origin: AudioTime) {
        update {
            $0.origin = origin
            $0.end = sample
        }
    }

    /// Notes that a module is final up to a sample.
    func finalize(_ module: ObjectIdentifier, to sample: Int) {
        update { $0.finals[module] = max($0.finals[module] ?? 0, sample) }
    }

    func remove(_ module: ObjectIdentifier) { update { $0.finals[module] = nil } }

    private func update(_ change: (VolatileRange) -> Void) {
        lock.withLock {
            change(self)
            guard origin != nil else { return }
            let start = min(end, max(last?.lowerBound ?? 0, finals.values.min() ?? 0))
            let next = start..<max(start, end)
            guard next != last else { return }
            let previous = last
            last = next
            guard let range = timeRange(next) else { return }
            handler?(range, next.lowerBound != previous?.lowerBound, next.upperBound != previous?.upperBound)
        }
    }

    private func timeRange(_ samples: Range<Int>) -> CMTimeRange? {
        guard let origin else { return nil }
        let rate = Int32(AudioFile.sampleRate)
        let time = { (sample: Int) in CMTime(origin + AudioTime(value: Int64(sample), timescale: rate)) }
        return CMTimeRange(start: time(samples.lowerBound), end: time(samples.upperBound))
    }
}
