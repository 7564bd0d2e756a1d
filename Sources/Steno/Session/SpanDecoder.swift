import Foundation
import StenoCore

/// Decodes spans of audio: the model, or a script in tests.
protocol SpanDecoder: AnyObject {
    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis
    /// Checked at every token.
    var isCancelled: () -> Bool { get set }
}

/// Decodes spans of live audio with a model, and counts and times the decodings.
final class ModelSpanDecoder: SpanDecoder {
    private let decoder: LiveDecoder
    private let meter: Monitor<LiveStatistics>
    /// The utterance decoded last.
    private var begun: Int?

    init(_ decoder: LiveDecoder, meter: Monitor<LiveStatistics>) {
        self.decoder = decoder
        self.meter = meter
    }

    var isCancelled: () -> Bool {
        get { decoder.isCancelled }
        set { decoder.isCancelled = newValue }
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        let start = ProcessInfo.processInfo.systemUptime
        defer {
            let seconds = ProcessInfo.processInfo.systemUptime - start
            meter.update {
                $0.decodings += 1
                $0.decodingSeconds += seconds
            }
        }
        let hypothesis = try decoder.decode(samples, decoding.request, isNew: begun != decoding.utterance)
        begun = decoding.utterance
        return hypothesis
    }
}

package struct LiveStatistics: Sendable, Hashable, Codable {
    package var decodings = 0
    package var decodingSeconds = 0.0
    package var audioSeconds = 0.0
    package var shedSeconds = 0.0

    /// Seconds of decoding per second of audio (the real-time factor): the engine keeps up while this is below 1.
    package var computePerSecond: Double { audioSeconds > 0 ? decodingSeconds / audioSeconds : 0 }

    package init() {}
}
