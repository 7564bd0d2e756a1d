import StenoVoiceActivity
import Testing

@testable import Steno
@testable import StenoCore

/// Plays a ``ScriptedTalk`` to a ``LivePolicy`` window by window, decodes what it asks for, and keeps its actions.
struct PolicyDriver {
    var policy: LivePolicy
    private(set) var actions: [(position: Int, action: LiveAction)] = []
    private(set) var decodings: [(position: Int, decoding: LiveDecoding)] = []

    private let talk: ScriptedTalk
    private let ear = ScriptedEar()
    private let decoder: any SpanDecoder
    /// The seconds that the next decoding takes.
    private let cost: () -> Double
    private var result: (due: Int, hypothesis: UtteranceHypothesis)?

    init(
        _ talk: ScriptedTalk, _ options: LiveOptions = LiveOptions(language: "en"), decoder: (any SpanDecoder)? = nil,
        hearing: ScriptedHearing = .repeated, cost: @escaping () -> Double = { 0.1 }
    ) {
        self.talk = talk
        self.decoder = decoder ?? hearing.decoder(talk)
        self.cost = cost
        policy = LivePolicy(options, hearing: hearing.hearing)
    }

    var position: Int { policy.gate.position }

    mutating func play(to end: Int) throws {
        while position + VoiceActivity.windowLength <= min(end, talk.count) { try hear() }
    }

    /// Plays the talk to its end and waits for all text.
    mutating func finish() throws {
        let end = talk.count
        try play(to: end)
        try perform { $0.finish(at: end) }
        while policy.decoding != nil { try deliver() }
    }

    mutating func finishWithWholeText(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try finish()
        #expect(text == talk.text, sourceLocation: sourceLocation)
    }

    mutating func perform(_ request: (inout LivePolicy) -> [LiveAction]) throws {
        var policy = policy
        let requested = request(&policy)
        self.policy = policy
        for action in requested {
            actions.append((position, action))
            guard case .decode(let decoding) = action else { continue }
            precondition(result == nil, "one decoding at a time")
            decodings.append((position, decoding))
            let hypothesis = try decoder.decode(talk.samples(decoding.span.clamped(to: 0..<talk.count)), decoding)
            result = (policy.gate.heard + cost().samples, hypothesis)
        }
    }

    private mutating func hear() throws {
        try deliverIfDue()
        let window = talk.samples(position..<position + VoiceActivity.windowLength)
        var probabilities: [Float] = []
        window.withUnsafeBufferPointer { ear.append(probabilitiesOf: $0, to: &probabilities) }
        try perform { $0.hear(probabilities[0], energy: window[0] * window[0]) }
        try deliverIfDue()
    }

    private mutating func deliverIfDue() throws {
        while let result, result.due <= policy.gate.heard { try deliver() }
    }

    private mutating func deliver() throws {
        guard let hypothesis = result?.hypothesis else { return }
        result = nil
        try perform { $0.update(with: hypothesis) }
    }

    /// The final words, with the position at which they became final.
    var finals: [(word: LiveWord, utterance: Int, position: Int)] {
        actions.flatMap { position, action in
            guard case .commit(let words, let utterance) = action else { return [(LiveWord, Int, Int)]() }
            return words.map { ($0, utterance, position) }
        }
    }

    /// The first final word with a text, which names one word of a talk.
    func final(_ text: String) throws -> (word: LiveWord, utterance: Int, position: Int) {
        try #require(finals.first { $0.word.text == text })
    }

    /// All final text, the punctuation at the end of utterances included.
    var text: String {
        actions.map { _, action -> String in
            switch action {
            case .commit(let words, _): words.map(\.text).joined()
            case .endUtterance(_, let mark): mark
            default: ""
            }
        }.joined()
    }

    /// The punctuation that came with the end of an utterance, with the position.
    var marks: [(text: String, position: Int)] {
        actions.compactMap { position, action -> (text: String, position: Int)? in
            guard case .endUtterance(_, let mark) = action, !mark.isEmpty else { return nil }
            return (mark, position)
        }
    }

    var skipped: [(span: Range<Int>, reason: SkipReason)] {
        actions.compactMap { if case .skipped(let span, let reason) = $0.action { (span, reason) } else { nil } }
    }

    /// The samples through which text was reported as final, with the number of words that were final by then.
    var finalized: [(sample: Int, words: Int)] {
        var words = 0
        return actions.compactMap {
            if case .commit(let more, _) = $0.action { words += more.count }
            if case .finalized(let sample) = $0.action { return (sample, words) }
            return nil
        }
    }
}

extension [LiveAction] {
    /// The requested decodings.
    var decodings: [LiveDecoding] { compactMap { if case .decode(let decoding) = $0 { decoding } else { nil } } }

    /// The words of each final text.
    var commits: [[LiveWord]] { compactMap { if case .commit(let words, _) = $0 { words } else { nil } } }

    var showsText: Bool { contains { if case .show = $0 { true } else { false } } }

    var knowsLanguage: Bool { contains { if case .language = $0 { true } else { false } } }
}

extension LanguageDetection {
    static let english = LanguageDetection(language: "en", probability: 1)
}
