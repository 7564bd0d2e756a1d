import StenoCore
import StenoVoiceActivity

/// Finds who speaks while audio arrives, with the network that comes with Steno; of several people who speak at once it
/// finds one.
///
/// Speech is cut into windows of 1.6 s, one every 0.8 s, each of which immediately gets the most similar voice. Every
/// few windows, and after two windows of a new voice, the voices are clustered again (``SpeakerClustering``) from the
/// stored windows: the latest, and some older ones of each voice. This corrects earlier labels, as ``takeChanges()``
/// reports.
package final class OnlineDiarizer: LiveDiarizer {
    /// The probability at which speech begins, and below which it ends.
    private static let threshold = (begin: Float(0.5), end: Float(0.35))
    /// The number of the detector's windows without speech that end a region: a quarter of a second.
    private static let pause = 8

    private let encoder: any SpeakerEncoder
    private var embedder: WindowEmbedder
    private var memory: VoiceMemory
    /// The latest audio: at least one window.
    private var audio: [Float] = []
    private var audioEnd = 0
    /// The number of samples whose speech probability is known.
    private var position = 0
    private var speechStart: Int?
    private var lastSpeech = 0
    private var region = 0
    /// Where the next window of the region begins.
    private var nextWindow = 0
    private var tail: (end: Int, voice: Int)?

    package init(encoder: any SpeakerEncoder, limits: SpeakerLimits = .live) {
        self.encoder = encoder
        embedder = WindowEmbedder(encoder)
        memory = VoiceMemory(limits: limits)
    }

    package var voices: [Int: Diarization.Voice] { memory.voices }

    package var searches: Int { memory.searches }

    package var keptWindows: Int { memory.windows.count }

    package func append(_ samples: [Float]) {
        audio += samples
        audioEnd += samples.count
        let needed = 2 * (encoder.windowLength + WindowEmbedder.hop)
        // Only rarely, because this moves the rest.
        if audio.count > 2 * needed { audio.removeFirst(audio.count - needed) }
    }

    package func append(probability: Float) {
        let start = position
        position = min(position + VoiceActivity.windowLength, max(audioEnd, position))
        if probability >= Self.threshold.begin || speechStart != nil && probability >= Self.threshold.end {
            if speechStart == nil { begin(at: start) }
            lastSpeech = position
        } else if speechStart != nil, position - lastSpeech >= Self.pause * VoiceActivity.windowLength {
            endRegion()
        }
        while speechStart != nil, nextWindow + encoder.windowLength <= lastSpeech {
            take(nextWindow..<nextWindow + encoder.windowLength)
            nextWindow += WindowEmbedder.hop
        }
    }

    package func jump(by samples: Int) {
        if speechStart != nil { endRegion() }
        audio = []
        audioEnd += samples
        position += samples
    }

    package func finish() {
        if speechStart != nil { endRegion() }
        memory.findVoices()
    }

    package func voice(in range: Range<Int>) -> Int? {
        let centre = (range.lowerBound + range.upperBound) / 2
        if let known = memory.voice(at: centre, within: WindowEmbedder.hop * 3 / 4) { return known }
        // A word may begin before the detector finds speech; the first word then gets the voice that follows.
        if let start = speechStart, centre >= start || memory.windows.isEmpty { return tailVoice(from: start) }
        return memory.voice(at: centre, within: nil) ?? (lastSpeech > 0 ? 0 : nil)
    }

    package func takeChanges() -> [VoiceChange] { memory.takeChanges() }

    private func begin(at start: Int) {
        speechStart = start
        nextWindow = start
        region += 1
    }

    /// Computes the last window of a region, aligned to its end.
    private func endRegion() {
        guard let start = speechStart else { return }
        speechStart = nil
        let covered = nextWindow > start ? nextWindow - WindowEmbedder.hop + encoder.windowLength : start
        if lastSpeech - covered > WindowEmbedder.hop / 4 {
            take(max(start, lastSpeech - encoder.windowLength)..<lastSpeech)
        }
    }

    private func take(_ range: Range<Int>) {
        guard let window = embed(range) else { return }
        let isWhole = range.count >= encoder.windowLength * 7 / 8
        memory.add(window, isWhole: isWhole)
        tail = nil
    }

    /// The voice of the latest speech, which does not fill a window yet.
    private func tailVoice(from start: Int) -> Int? {
        let end = max(lastSpeech, start + 1)
        if let tail, end - tail.end < WindowEmbedder.hop / 4 { return tail.voice }
        guard let window = embed(max(start, end - encoder.windowLength)..<end) else { return nil }
        // The first voice has the number 0, even before it has filled a window.
        let voice = memory.mostSimilar(window) ?? 0
        tail = (end, voice)
        return voice
    }

    private func embed(_ range: Range<Int>) -> SpeakerWindow? {
        let first = audioEnd - audio.count
        let range = range.clamped(to: first..<audioEnd)
        guard !range.isEmpty else { return nil }
        embedder.append(audio[range.lowerBound - first..<range.upperBound - first], window: range, region: region)
        embedder.flush()
        return embedder.takeWindows().first
    }
}

/// Finds who speaks while audio arrives, in bounded memory.
///
/// Every stretch of speech has a voice immediately; later audio may correct it.
package protocol LiveDiarizer: AnyObject {
    /// The voices found so far, by their numbers from 0 on.
    var voices: [Int: Diarization.Voice] { get }

    /// The number of searches for voices so far; voices and labels change at no other time.
    var searches: Int { get }

    func append(_ samples: [Float])

    /// Takes the speech probability of the detector's next window, whose samples must have been appended before.
    func append(probability: Float)

    /// Skips a gap in the audio.
    func jump(by samples: Int)

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
