package import Steno
package import StenoCore
import StenoVoiceActivity
import StenoWhisper

/// Words with their start and end times.
package func timed(_ words: (text: String, start: Double, end: Double)...) -> [Word] {
    words.map { Word(rawText: $0.text, start: $0.start, end: $0.end, probability: 1) }
}

/// The words of a text at an even pace: a fifteenth of a second per letter or space.
package func spoken(_ text: String, from start: Double = 0, perLetter: Double = 1.0 / 15) -> [Word] {
    var time = start
    return text.split(separator: " ").map { word in
        let length = Double(word.count + 1) * perLetter
        defer { time += length }
        return Word(rawText: " " + word, start: time, end: time + length, probability: 0.9)
    }
}

/// The words of a text, each of the same length, with gaps between them.
package func paced(_ text: String, from start: Double = 0, each length: Double = 1, gap: Double = 0) -> [Word] {
    text.split(separator: " ").enumerated().map { index, word in
        let time = start + Double(index) * (length + gap)
        return Word(rawText: " " + word, start: time, end: time + length, probability: 1)
    }
}

extension SpeechProfile {
    /// Certain speech in some ranges of seconds, and certain silence elsewhere.
    package init(speech spans: [Range<Double>], until end: Double) {
        let step = VoiceActivity.windowSeconds
        let probabilities = (0..<Int(end / step)).map { index -> Float in
            let middle = (Double(index) + 0.5) * step
            return spans.contains { $0.contains(middle) } ? 1 : 0
        }
        self.init(step: step, probabilities: probabilities)
    }
}

/// Whisper's details of a segment, for tests that know it has them; impossible values if it has none.
extension Segment {
    package var tokens: [Int] { whisper?.tokens ?? [-1] }
    package var seek: Int { whisper?.seek ?? -1 }
    package var temperature: Double { whisper?.temperature ?? .nan }
    package var averageLogProbability: Double { whisper?.averageLogProbability ?? .nan }
    package var compressionRatio: Double { whisper?.compressionRatio ?? .nan }
    package var noSpeechProbability: Double { whisper?.noSpeechProbability ?? .nan }
}

/// A live segment of one word that lasts a second; unless given, its start is its id.
package func liveSegment(
    _ id: Int, _ text: String, _ start: Double? = nil, isFinal: Bool = true, utterance: Int = 0
) -> LiveSegment {
    let start = start ?? Double(id)
    return LiveSegment(
        id: id, start: start, end: start + 1, text: text, isFinal: isFinal,
        words: [Word(rawText: text, start: start, end: start + 1, probability: 1)], utterance: utterance)
}

/// Generates transcripts: sentences of random words with plausible times, and malformed ones.
package struct RandomTranscript {
    package enum Kind: String, CaseIterable, Sendable {
        /// Words at the pace of speech, with pauses and punctuation.
        case english
        /// Characters without spaces.
        case japanese
        /// Segments without word times.
        case withoutWords
        /// Words without duration, decreasing times, overlapping segments, words longer than any line.
        case broken
    }

    private static let english = [
        "and", "the", "of", "a", "to", "in", "that", "I", "we", "is", "listening", "captions", "Lincoln", "Anna",
        "carpenter", "conversation", "Wednesday", "don't", "well-known", "because", "but", "yes", "no", "3.5", "Dr.",
    ]
    private static let japanese = ["私", "は", "猫", "で", "す", "コン", "ピュ", "ータ", "今日", "の", "天気", "GPT", "ない", "「", "」"]

    private var random: SplitMix64
    private let kind: Kind

    package init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        random = SplitMix64(seed: seed, name: kind.rawValue)
    }

    package mutating func make() -> Transcript {
        var time = number(0...2)
        var segments: [Segment] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            segments.append(segment(from: time, id: segments.count))
            time = max(time, segments.last?.end ?? time) + (isOneIn(3) ? number(0...5) : 0)
            if kind == .broken, isOneIn(3) { time = max(0, time - number(0...4)) }
        }
        let end = segments.map(\.end).max() ?? 0
        return Transcript(language: "en", languageProbability: 1, duration: end + number(0...3), segments: segments)
    }

    private mutating func segment(from start: Double, id: Int) -> Segment {
        var words: [Word] = []
        var time = start
        let count = Int.random(in: 1...30, using: &random)
        for index in 0..<count {
            let text = word(index, isLast: index == count - 1)
            let end = time + duration(text)
            words.append(Word(rawText: text, start: time, end: end, probability: 0.9))
            time = end + (isOneIn(12) ? number(0...3) : 0)
        }
        return Segment(
            id: id, start: start, end: words.last?.end ?? start, text: words.map(\.rawText).joined(),
            words: kind == .withoutWords ? nil : words,
            whisper: WhisperSegmentDetails(
                seek: 0, tokens: [], temperature: 0, averageLogProbability: -0.3, compressionRatio: 1,
                noSpeechProbability: 0))
    }

    private mutating func word(_ index: Int, isLast: Bool) -> String {
        let isJapanese = kind == .japanese || kind == .withoutWords && index.isMultiple(of: 3)
        if kind == .broken, isOneIn(20) {
            return [" " + String(repeating: "long", count: 30), "", " ", "\n", "glued", " two words"].randomElement(
                using: &random) ?? ""
        }
        let text = (isJapanese ? Self.japanese : Self.english).randomElement(using: &random) ?? ""
        let marks = isJapanese ? ["。", "、"] : [".", ",", "?", "!"]
        let mark = isLast || isOneIn(8) ? marks.randomElement(using: &random) ?? "" : ""
        return (isJapanese ? "" : " ") + text + mark
    }

    private mutating func duration(_ text: String) -> Double {
        if kind == .broken, isOneIn(3) { return isOneIn(5) ? number(0...12) : 0 }
        return Double(text.count) * number(0.03...0.12)
    }

    private mutating func number(_ range: ClosedRange<Double>) -> Double {
        (Double.random(in: range, using: &random) * 100).rounded() / 100
    }

    private mutating func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}
