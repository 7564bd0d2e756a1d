import Foundation
import StenoCore

/// Counts, times and reports the decodings of another decoder.
final class MeteredDecoder: SpanDecoder {
    private let decoder: any SpanDecoder
    private let meter: DecodingMeter
    private let trace: (@Sendable (DecodingRecord) -> Void)?

    init(_ decoder: any SpanDecoder, meter: DecodingMeter, trace: (@Sendable (DecodingRecord) -> Void)?) {
        self.decoder = decoder
        self.meter = meter
        self.trace = trace
    }

    var isCancelled: () -> Bool {
        get { decoder.isCancelled }
        set { decoder.isCancelled = newValue }
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        let start = ProcessInfo.processInfo.systemUptime
        defer { meter.add(ProcessInfo.processInfo.systemUptime - start) }
        let hypothesis = try decoder.decode(samples, decoding)
        trace?(DecodingRecord(decoding, hypothesis))
        return hypothesis
    }
}

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
