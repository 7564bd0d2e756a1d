package import Steno
package import StenoCore
import StenoVoiceActivity

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
