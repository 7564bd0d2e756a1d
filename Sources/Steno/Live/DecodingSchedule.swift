import StenoCore
import StenoVoiceActivity

/// How a model processes live audio, as far as the policy has to know.
enum LiveHearing: Sendable, Hashable {
    /// An utterance is decoded as a whole, again and again, and ``Commitment`` decides which words are final.
    case repeated
    /// The same with a model that has no search: thorough decodings are like quick ones, and cost as little.
    case repeatedAlike
    /// Every sample is heard once: the model gets the audio of each step, in samples, and decides which words are
    /// final.
    case streaming(step: Int)

    var isRepeated: Bool { self == .repeated || self == .repeatedAlike }

    init(_ decoder: LiveDecoder) {
        switch decoder.model {
        case .repeated(let decoder): self = decoder.searchesAlike ? .repeatedAlike : .repeated
        case .streaming(let stream): self = .streaming(step: max(stream.step.samples, 1))
        }
    }
}

/// Decides when the next decoding is due, from the cost of past ones.
///
/// One decoding runs at a time, and the next one takes all audio available by then. During speech, a decoding begins
/// every step: the shortest one that keeps the machine less than half busy. In a pause there is one decoding, which
/// covers the words before it.
struct DecodingSchedule: Sendable {
    private(set) var running: LiveDecoding?
    /// The end of the decoded audio of the first utterance.
    private(set) var decodedUpTo = 0
    private(set) var count = 0

    private let hearing: LiveHearing
    private let shortestStep: Int
    /// The clock (``SpeechGate/heard``) when the running decoding was requested.
    private var startedAt = 0
    /// The clock at which an open utterance is next decoded.
    private var nextAt = 0
    /// The mean cost of a decoding in audio time, in samples; recent ones count more.
    private var cost = 0.0

    /// A pause is noticed after this much silence.
    static let notice = 2 * VoiceActivity.windowLength
    /// The fraction of the time that the machine may spend on decoding during speech.
    private static let mostBusy = 0.5
    /// The weight of the newest decoding in the mean cost.
    private static let weight = 0.25

    init(_ options: LiveOptions, _ hearing: LiveHearing) {
        self.hearing = hearing
        shortestStep = Int(Double(options.step.samples) * (hearing == .repeatedAlike ? Self.stepOfAlike : 1))
    }

    /// The part of the step with a model whose thorough decodings cost no more than quick ones.
    private static let stepOfAlike = 0.75

    /// The time from the start of one decoding to the start of the next, in samples.
    var step: Int { max(shortestStep, Int(cost / Self.mostBusy)) }

    /// Whether the open utterance should be decoded now, if no decoding runs: with a streaming model, whenever a step of
    /// audio has arrived.
    func isDue(_ gate: SpeechGate, from start: Int) -> Bool {
        if case .streaming(let step) = hearing { return gate.position - start >= step }
        // A dip of a window or two may be a pause, and audio decoded then would have to be decoded again.
        if gate.quiet == 0 { return gate.heard >= nextAt }
        return gate.quiet >= Self.notice && decodedUpTo < gate.quietFrom
    }

    /// Restarts the step: the first utterance begins to be decoded, or speech resumes after a pause.
    mutating func begin(at clock: Int) { nextAt = clock + step }

    mutating func start(_ decoding: LiveDecoding, at clock: Int) {
        running = decoding
        startedAt = clock
        count += 1
    }

    mutating func end(at clock: Int) {
        guard let done = running else { return }
        running = nil
        decodedUpTo = done.span.upperBound
        guard !done.isLast else { return }
        // A result is noticed at the end of a window: on average, half a window after it arrives.
        let newest = max(0, Double(clock - startedAt - VoiceActivity.windowLength / 2))
        cost = cost == 0 ? newest : cost + Self.weight * (newest - cost)
        nextAt = max(nextAt, startedAt + max(step, Int(newest / Self.mostBusy)))
    }
}
