/// Finds who speaks while audio arrives, in bounded memory.
///
/// Every stretch of speech has a voice immediately; later audio may correct it.
package protocol LiveDiarizer: AnyObject {
    /// The voices found so far, by their numbers from 0 on.
    var voices: [Int: Diarization.Voice] { get }

    /// The number of searches for voices so far; voices and labels change at no other time.
    var searches: Int { get }

    /// Takes the next samples.
    func append(_ samples: [Float])

    /// Takes the speech probability of the detector's next window, whose samples must have been appended before.
    func append(probability: Float)

    /// Skips a gap in the audio.
    func jump(by samples: Int)

    /// Ends the audio.
    func finish()

    /// The number of the voice in some samples; nil before any speech.
    func voice(in range: Range<Int>) -> Int?

    /// The corrections since the last call.
    func takeChanges() -> [VoiceChange]
}

/// A correction of earlier labels.
package struct VoiceChange: Sendable, Hashable {
    /// The samples to which it applies; nil means all audio so far, because two voices turned out to be the same.
    package var range: Range<Int>?
    /// The number of the voice that these samples had.
    package var was: Int
    /// The number they have now.
    package var now: Int
}
