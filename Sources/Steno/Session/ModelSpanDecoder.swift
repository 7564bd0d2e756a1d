import Foundation
import StenoCore

/// Decodes spans of live audio with a model, and counts and times the decodings.
final class ModelSpanDecoder: SpanDecoder {
    private let decoder: LiveDecoder
    private let meter: Monitor<LiveStatistics>
    /// The utterance that a streaming model is working on.
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
        switch decoder {
        case .repeated(let decoder): return try decoder.decode(samples, decoding.request)
        case .streaming(let stream):
            if begun != decoding.utterance {
                try stream.begin(decoding.request)
                begun = decoding.utterance
            }
            return try stream.hear(samples, isLast: decoding.isLast)
        }
    }
}
