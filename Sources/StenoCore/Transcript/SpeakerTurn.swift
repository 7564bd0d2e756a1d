/// A stretch of one speaker's speech, as diarization finds it and RTTM stores it; turns of several speakers may
/// overlap.
package struct SpeakerTurn: Sendable, Hashable, Codable {
    /// The start, in seconds from the start of the audio.
    package var start: Double
    /// The end, in seconds; never before ``start``.
    package var end: Double
    /// The speaker: a name such as “Speaker 1”, or the name of an enrolled voice.
    package var speaker: String

    package init(start: Double, end: Double, speaker: String) {
        self.start = start
        self.end = end
        self.speaker = speaker
    }
}
