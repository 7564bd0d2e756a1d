import StenoTestSupport

@testable import Steno
@testable import StenoCore
@testable import StenoVoiceActivity

/// A talk that is known word by word, with its audio, and an ear and a model to match.
///
/// In its audio, speech is 0.5, silence 0 and noise 0.02. Its words are `w0`, `w1` … with token ids of their own, so a
/// word that is lost, comes twice or moves is found.
struct ScriptedTalk: Sendable {
    struct Spoken: Sendable {
        var text: String
        var token: Int
        var start: Double
        var end: Double
    }

    private(set) var words: [Spoken] = []
    private(set) var count = 0
    /// The audio as run lengths: hours of it take no memory.
    private var runs: [(start: Int, value: Float)] = []

    var seconds: Double { count.seconds }
    var text: String { words.map(\.text).joined() }
    var samples: [Float] { samples(0..<count) }

    func samples(_ range: Range<Int>) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(range.count)
        var index = runs.partitioningIndex { $0.start > range.lowerBound } - 1
        while samples.count < range.count {
            let end = index + 1 < runs.count ? min(runs[index + 1].start, range.upperBound) : range.upperBound
            samples += [Float](repeating: runs[index].value, count: end - range.lowerBound - samples.count)
            index += 1
        }
        return samples
    }

    /// Speaks words of 0.15 to 0.6 s without a pause.
    mutating func speak(_ count: Int, using random: inout SplitMix64) {
        for _ in 0..<count { speak(seconds: Double.random(in: 0.15...0.6, using: &random)) }
    }

    mutating func speak(seconds length: Double, level: Float = 0.5) {
        let start = seconds
        append(level, seconds: length)
        words.append(Spoken(text: " w\(words.count)", token: words.count, start: start, end: seconds))
    }

    mutating func append(_ value: Float, seconds: Double) {
        let length = Int(seconds * 16_000)
        guard length > 0 else { return }
        runs.append((count, value))
        count += length
    }

    /// Words without a pause, with silence before and after them.
    static func monologue(_ words: Int, seed: UInt64, after start: Double = 0, before end: Double = 0) -> ScriptedTalk {
        ScriptedTalk([.silence(start), .words(words), .silence(end)], seed: seed)
    }

    /// Speaks words with pauses of 0.1 to 0.6 s between some of them.
    mutating func speakWithPauses(_ count: Int, using random: inout SplitMix64) {
        for number in 0..<count {
            if number > 0, Int.random(in: 0..<4, using: &random) == 0 {
                append(0, seconds: Double.random(in: 0.1...0.6, using: &random))
            }
            speak(1, using: &random)
        }
    }

    /// A talk of utterances with silences between them, some of them noisy, and short pauses in them.
    static func random(_ seed: UInt64, utterances: Int = 6, longest: Int = 20) -> ScriptedTalk {
        var random = SplitMix64(seed: seed)
        var talk = ScriptedTalk()
        for _ in 0..<utterances {
            talk.append(0, seconds: Double.random(in: 0...1.5, using: &random))
            if Bool.random(using: &random) { talk.append(0.02, seconds: Double.random(in: 0...2, using: &random)) }
            talk.append(0, seconds: 0.55)
            talk.speakWithPauses(Int.random(in: 1...longest, using: &random), using: &random)
        }
        talk.append(0, seconds: Double.random(in: 0...1, using: &random))
        return talk
    }
}

extension ScriptedTalk {
    /// Seconds of silence, words without a pause, or a word that lasts some seconds.
    enum Part {
        case silence(Double), words(Int), word(Double)
    }

    init(_ parts: [Part], seed: UInt64 = 1) {
        self.init()
        var random = SplitMix64(seed: seed)
        for part in parts {
            switch part {
            case .silence(let seconds): append(0, seconds: seconds)
            case .words(let count): speak(count, using: &random)
            case .word(let seconds): speak(seconds: seconds)
            }
        }
    }
}

extension Array {
    /// The index of the first element that is past the boundary; the elements before it are not.
    fileprivate func partitioningIndex(_ isPast: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isPast(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Hears speech where the samples are loud.
final class ScriptedEar: VoiceActivityDetector {
    func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to probabilities: inout [Float]) {
        for start in stride(from: 0, to: windows.count, by: VoiceActivity.windowLength) {
            let window = windows[start..<start + VoiceActivity.windowLength]
            probabilities.append(window.contains { $0 > 0.25 } ? 0.9 : 0.1)
        }
    }

    func reset() {}
}

/// Understands a ``ScriptedTalk`` as Whisper would: whole words for certain, and something at random where the audio
/// ends in the middle of one.
final class ScriptedModel: SpanDecoder {
    var isCancelled: () -> Bool = { false }
    private(set) var decodings: [LiveDecoding] = []
    private let talk: ScriptedTalk
    /// Whether it takes a word that is cut off for any other.
    private let invents: Bool

    init(_ talk: ScriptedTalk, invents: Bool = true) {
        self.talk = talk
        self.invents = invents
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        decodings.append(decoding)
        let start = decoding.span.lowerBound.seconds
        let end = min(decoding.span.upperBound.seconds, start + samples.count.seconds)
        var random = SplitMix64(seed: UInt64(decoding.span.upperBound))
        var words: [UtteranceWord] = []
        // A word belongs to the span that holds its middle: a cut through it takes it from one side only.
        let first = talk.words.partitioningIndex { ($0.start + $0.end) / 2 >= start }
        for word in talk.words[first...].prefix(while: { ($0.start + $0.end) / 2 < end }) {
            // While somebody speaks, a word that is cut off may be taken for any other.
            let isWhole = word.end <= end || decoding.isLast || !invents
            let text = isWhole ? word.text : " x\(Int.random(in: 0..<1000, using: &random))"
            words.append(
                UtteranceWord(
                    text: text, handle: [isWhole ? word.token : 1_000_000], start: word.start - start,
                    end: min(word.end, end) - start))
        }
        return UtteranceHypothesis(words: words, language: .english)
    }
}

/// Runs a talk through a session in chunks and keeps the events.
struct LiveRun {
    var events: [TranscriptionEvent] = []
    var transcript = LiveTranscript()
    var mostSamplesKept = 0
    var largestLag = 0.0

    /// - Parameters:
    ///   - chunk: The length of the next chunk, in samples.
    ///   - cost: The seconds a decoding takes.
    init(
        _ talk: ScriptedTalk, _ options: LiveOptions = LiveOptions(language: "en"), decoder: (any SpanDecoder)? = nil,
        model: ScriptedModel? = nil, hearing: ScriptedHearing = .repeated,
        speakers: LiveSpeakers? = nil, cutAt end: Int? = nil, cost: Double = 0.1, chunk: () -> Int = { 1600 }
    ) throws {
        let log = Recorder<TranscriptionEvent>()
        let queue = ImmediateQueue(decoder ?? model ?? hearing.decoder(talk), cost: { _, _ in cost }, now: { 0 })
        let session = LivePipeline(
            options, detector: ScriptedEar(), queue: queue, hearing: hearing.hearing, speakers: speakers
        ) { log.add($0) }
        var position = 0
        let count = end ?? talk.count
        while position < count {
            let next = min(count, position + max(1, chunk()))
            try session.append(talk.samples(position..<next))
            position = next
            mostSamplesKept = max(mostSamplesKept, session.keptSamples)
            largestLag = max(largestLag, session.policy.lag)
        }
        try session.finish()
        events = log.all
        for event in events { transcript.apply(event) }
    }

    var finalWords: [Word] { transcript.finals.flatMap(\.words) }
    var finalText: String { finalWords.map(\.rawText).joined() }
}
