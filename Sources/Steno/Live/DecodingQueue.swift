import StenoCore

/// Where decodings are made, one at a time, and when their results are there.
protocol DecodingQueue: AnyObject {
    typealias Outcome = Result<UtteranceHypothesis, any Error>

    /// Takes a decoding that was asked for when `position` samples had been heard; the last one's result was taken.
    func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int)

    /// The result, if it is there when `position` samples have been heard.
    func result(at position: Int) -> Outcome?

    /// The result, once it is there.
    func awaitResult() -> Outcome

    /// Ends the decoding that runs, within a token.
    func cancel()
}

/// What makes a decoding: the model, or a script in tests.
protocol SpanDecoder: AnyObject {
    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis
    /// Asked at every token.
    var isCancelled: () -> Bool { get set }
}

/// Decodes at once, on the caller's thread, and lets the result be there a while later on the audio's own clock.
///
/// So the text depends on the audio alone, however fast it comes, and a slow machine can be imagined.
final class ImmediateQueue: DecodingQueue {
    /// The seconds of audio that pass during a decoding that took `measured` seconds.
    typealias Cost = (_ decoding: LiveDecoding, _ measured: Double) -> Double

    private let decoder: any SpanDecoder
    private let cost: Cost
    private let now: () -> Double
    private var waiting: (due: Int, outcome: Outcome)?

    /// - Parameters:
    ///   - now: A clock in seconds, for the costs that are measured.
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

    func cancel() {}
}
