import StenoCore

/// Runs decodings, one at a time, and decides when their results become available.
protocol DecodingQueue: AnyObject {
    typealias Outcome = Result<UtteranceHypothesis, any Error>

    /// Submits a decoding requested at `position`, in samples; the previous result must have been taken.
    func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int)

    /// The result, if it is available at `position`, in samples.
    func result(at position: Int) -> Outcome?

    /// Waits for the result, or for the end of the session.
    func awaitResult() -> Outcome

    /// Whether results become available with audio rather than with time: if no more audio arrives, the caller must
    /// take them with ``awaitResult()``.
    var followsAudio: Bool { get }
}

/// Decodes spans of audio: the model, or a script in tests.
protocol SpanDecoder: AnyObject {
    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis
    /// Checked at every token.
    var isCancelled: () -> Bool { get set }
}

/// Decodes at once, on the caller's thread, and delivers the result later in audio time.
///
/// The text then depends only on the audio, however fast it arrives, and a slow machine can be simulated.
final class ImmediateQueue: DecodingQueue {
    /// The duration in audio time of a decoding that took `measured` seconds.
    typealias Cost = (_ decoding: LiveDecoding, _ measured: Double) -> Double

    let followsAudio = true

    private let decoder: any SpanDecoder
    private let cost: Cost
    private let now: () -> Double
    private var waiting: (due: Int, outcome: Outcome)?

    /// - Parameters:
    ///   - now: A clock in seconds, to measure the cost of decodings.
    init(_ decoder: any SpanDecoder, cost: @escaping Cost, now: @escaping () -> Double) {
        self.decoder = decoder
        self.cost = cost
        self.now = now
    }

    func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int) {
        let start = now()
        let outcome = Outcome { try decoder.decode(samples, decoding) }
        waiting = (position + cost(decoding, now() - start).samples, outcome)
    }

    func result(at position: Int) -> Outcome? {
        guard let waiting, waiting.due <= position else { return nil }
        self.waiting = nil
        return waiting.outcome
    }

    func awaitResult() -> Outcome {
        defer { waiting = nil }
        return waiting?.outcome ?? .failure(CancellationError())
    }
}
