import StenoWhisper
import StenoVoice

/// Speech between two pauses, from its first decoding to its last.
struct Utterance: Sendable {
    let id: Int
    /// The first sample that is decoded; moves when the beginning is final and trimmed.
    private(set) var start: Int
    /// Its end; nil while it is open.
    var end: Int?
    /// The number of its samples that are probably speech.
    private(set) var speech = 0
    /// The final words whose audio is still decoded: the forced prefix of the next decoding.
    private(set) var committed: [LiveWord] = []
    /// Whether any of its words is final, trimmed ones too.
    private(set) var hasFinals = false
    /// The last decodings' words after the committed ones, the newest last.
    var hypotheses: [[LiveWord]] = []
    /// The partial words shown after the final ones.
    var shown: [LiveWord] = []
    /// The language it was last decoded in, when that was detected.
    var heardLanguage: String?
    /// The language once it is accepted.
    var language: String?
    /// The probability of speech in each window from about ``start`` on: to find the best place for a cut.
    private(set) var probabilities: [Float] = []
    private var energy: Float = 0
    /// The sample at which ``probabilities`` begin.
    private var heardFrom: Int

    init(id: Int, start: Int, heardFrom: Int) {
        self.id = id
        self.heardFrom = heardFrom
        self.start = start
    }

    /// The speech probabilities of its audio.
    var speechProfile: SpeechProfile {
        // The pre-roll was processed before the utterance began: it may contain speech.
        let missing = max(0, (heardFrom - start) / VoiceActivity.windowLength)
        return SpeechProfile(
            start: start.seconds, probabilities: [Float](repeating: 1, count: missing) + probabilities)
    }

    var committedTokens: [Int] { committed.flatMap(\.tokens) }

    /// The mean energy of its windows.
    var meanEnergy: Float { energy / Float(max(probabilities.count, 1)) }

    /// Adds the next window.
    mutating func follow(_ probability: Float, energy: Float, isSpeech: Bool) {
        probabilities.append(probability)
        self.energy += energy
        if isSpeech { speech += VoiceActivity.windowLength }
    }

    /// Makes the first words of the newest decoding final, and removes them from all decodings.
    mutating func commit(_ words: ArraySlice<LiveWord>) {
        guard !words.isEmpty else { return }
        committed += words
        hasFinals = true
        for index in hypotheses.indices { hypotheses[index] = hypotheses[index].dropping(words) }
    }

    /// Drops the audio before a sample and the committed words in it.
    mutating func dropBeginning(upTo cut: Int, words: Int) {
        let passed = min(probabilities.count, max(0, cut - heardFrom) / VoiceActivity.windowLength)
        probabilities.removeFirst(passed)
        heardFrom += passed * VoiceActivity.windowLength
        start = cut
        committed.removeFirst(words)
    }

    /// The sample in the last seconds before `position` where speech is least probable.
    func quietestPoint(before position: Int) -> Int {
        let recent = probabilities.suffix(160).dropLast(16)
        let quietest = recent.indices.min { recent[$0] < recent[$1] } ?? probabilities.count
        return position - (probabilities.count - quietest) * VoiceActivity.windowLength
    }
}
