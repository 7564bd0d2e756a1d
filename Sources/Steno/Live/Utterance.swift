import StenoCore
import StenoVoiceActivity

/// The audio of an utterance: speech between two long silences.
struct Utterance: Sendable {
    let id: Int
    let settings: SpeechSettings
    /// The number of samples before it that were skipped.
    let skipped: Int
    /// The first sample of its own audio.
    let ownStart: Int
    /// The first sample that is decoded: earlier than ``ownStart`` if the previous utterance's audio is joined to it, and
    /// later once the beginning is final and trimmed.
    private(set) var start: Int
    /// Its end; nil while it is open.
    private(set) var end: Int?
    /// Whether it is followed by another utterance instead of silence.
    private(set) var wasCut = false
    /// The number of its samples that are probably speech.
    private(set) var speech = 0
    /// The silences in it that are long enough to make the words before them final.
    private(set) var pauses: [Range<Int>] = []
    /// The windows from about ``start`` on.
    private var windows: [Window] = []
    /// The sample at which ``windows`` begin: where speech was detected.
    private(set) var heardFrom: Int

    /// A window of audio; the best place for a cut is where speech is least probable.
    private struct Window: Sendable {
        var probability: Float
        var energy: Float
        var isSpeech: Bool
    }

    init(id: Int, settings: SpeechSettings, start: Int, heardFrom: Int, skipped: Int) {
        self.id = id
        self.settings = settings
        self.start = start
        ownStart = start
        self.heardFrom = heardFrom
        self.skipped = skipped
    }

    var speechProfile: SpeechProfile {
        // The pre-roll was processed before the utterance began: it may contain speech.
        let missing = max(0, (heardFrom - start) / VoiceActivity.windowLength)
        return SpeechProfile(
            start: start.seconds, step: VoiceActivity.windowSeconds,
            probabilities: [Float](repeating: 1, count: missing) + windows.map(\.probability))
    }

    var meanEnergy: Float { windows.reduce(0) { $0 + $1.energy } / Float(max(windows.count, 1)) }

    mutating func hear(_ probability: Float, energy: Float, isSpeech: Bool) {
        windows.append(Window(probability: probability, energy: energy, isSpeech: isSpeech))
        if isSpeech { speech += VoiceActivity.windowLength }
    }

    /// Adds a silence, or extends the last one if it began at the same sample.
    mutating func pause(_ silence: Range<Int>) {
        if pauses.last?.lowerBound == silence.lowerBound { pauses.removeLast() }
        pauses.append(silence)
    }

    func pause(around sample: Int) -> Range<Int>? { pauses.last { $0.lowerBound <= sample && sample <= $0.upperBound } }

    /// Prepends the audio of the previous utterance, whose text is final.
    ///
    /// - Parameter preRoll: The samples before the detected start of its own speech that may be speech.
    mutating func join(_ previous: Utterance, preRoll: Int) {
        let length = VoiceActivity.windowLength
        let missing = max(0, (heardFrom - previous.heardFrom) / length - previous.windows.count)
        let silent = max(0, missing - preRoll / length)
        let silence = Window(probability: 0, energy: 0, isSpeech: false)
        let unknown = Window(probability: 1, energy: 0, isSpeech: false)
        windows =
            previous.windows + [Window](repeating: silence, count: silent)
            + [Window](repeating: unknown, count: missing - silent) + windows
        (start, heardFrom) = (previous.start, previous.heardFrom)
    }

    /// Whether all speech of a span is still part of it, except for an incomplete window; otherwise it was cut.
    func stillCovers(_ span: Range<Int>) -> Bool {
        !wasCut || span.upperBound < (end ?? .max) + VoiceActivity.windowLength
    }

    mutating func close(at end: Int) { self.end = end }

    /// Closes it at a sample, and returns the rest as another utterance.
    mutating func split(at cut: Int, id: Int) -> Utterance {
        let length = VoiceActivity.windowLength
        let kept = min(windows.count, max(0, cut - heardFrom + length - 1) / length)
        var rest = Utterance(
            id: id, settings: settings, start: cut, heardFrom: max(cut, heardFrom + kept * length), skipped: skipped)
        rest.windows = Array(windows[kept...])
        rest.speech = rest.windows.count(where: \.isSpeech) * length
        rest.pauses = pauses.filter { $0.upperBound > cut }.map { max($0.lowerBound, cut)..<$0.upperBound }
        windows.removeLast(rest.windows.count)
        speech -= rest.speech
        pauses = pauses.filter { $0.lowerBound < cut }.map { $0.lowerBound..<min($0.upperBound, cut) }
        close(at: cut)
        wasCut = true
        return rest
    }

    mutating func dropBeginning(upTo cut: Int) {
        let passed = min(windows.count, max(0, cut - heardFrom) / VoiceActivity.windowLength)
        windows.removeFirst(passed)
        heardFrom += passed * VoiceActivity.windowLength
        start = cut
    }

    /// The sample in the last seconds before `position` where speech is least probable.
    func quietestPoint(before position: Int) -> Int {
        let recent = windows.suffix(160).dropLast(16)
        let quietest = recent.indices.min { recent[$0].probability < recent[$1].probability } ?? windows.count
        return position - (windows.count - quietest) * VoiceActivity.windowLength
    }
}
