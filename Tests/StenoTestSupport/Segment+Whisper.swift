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
