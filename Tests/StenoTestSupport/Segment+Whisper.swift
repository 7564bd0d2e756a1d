package import Steno
package import StenoCore

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
