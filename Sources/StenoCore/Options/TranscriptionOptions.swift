/// How to transcribe a recording: options for models of any family, and the options of one family.
///
///     let options = TranscriptionOptions(language: "en", wordTimestamps: true)
///
/// Each family's options are in a property added by its module: Whisper's options (beams, temperatures, thresholds) are
/// in `whisper`, from `import StenoWhisper`. A model throws if it does not support an option.
public struct TranscriptionOptions: Sendable, Hashable, LanguageOptions, Adjustable {
    package var settings = SpeechSettings()
    /// The spoken language as a code such as `en` or a name such as `english`; nil detects it.
    public var language: String? {
        get { settings.language }
        set { settings.language = newValue }
    }
    /// Whether to transcribe the speech or to translate it into English.
    public var task: TranscriptionTask {
        get { settings.task }
        set { settings.task = newValue }
    }
    /// Names and rare words to expect, one word or phrase each.
    public var vocabulary: [String] {
        get { settings.vocabulary }
        set { settings.vocabulary = newValue }
    }
    /// Text presented to the model as if it preceded the recording: names, spelling, style; nil for none.
    public var prompt: String?
    /// Whether to compute the times of words.
    public var wordTimestamps = false
    /// The only parts of the audio to transcribe, in seconds and in this order; empty transcribes everything.
    ///
    /// A clip starts at 0 or later; `60..<.infinity` extends to the end of the audio. Times remain relative to the
    /// whole audio.
    public var clips: [Range<Double>] = []
    /// The maximum number of windows decoded in one batch, from 1 to 64; they may belong to several recordings.
    ///
    /// 1 is sequential decoding: a window begins where the text of the previous one ended and is conditioned on that
    /// text. Above 1, the ``clips`` are decoded independently of each other; without clips, the recording's speech is
    /// packed into windows. Each window adds to the memory in use.
    public var batchSize = 1
    /// Labels the speakers of words and segments; nil turns this off.
    ///
    /// This computes word times, even if ``wordTimestamps`` is false.
    public var speakers: SpeakerOptions?
    private var own: OwnOptions?

    /// The options of one model family, such as Whisper's `WhisperOptions`; nil when all have their defaults.
    package var family: (any FamilyOptions)? {
        get { own?.options }
        set { own = newValue.map { OwnOptions(options: $0) } }
    }

    /// Creates options with their defaults.
    public init() {}

    /// Creates the options of a live session.
    package init(_ settings: SpeechSettings, prompt: String? = nil) {
        (self.settings, self.prompt) = (settings, prompt)
    }

    /// Creates options; omitted ones, and those that are only properties, have their defaults.
    public init(language: String? = nil, task: TranscriptionTask = .transcribe, wordTimestamps: Bool = false) {
        settings = SpeechSettings(language: language, task: task)
        self.wordTimestamps = wordTimestamps
    }
}

/// The JSON has the options common to all models; those of a family can be encoded separately.
extension TranscriptionOptions: Codable, OptionTable {
    package static var fields: OptionFields<Self> {
        [
            .init("language", \.language),
            .init("task", \.task),
            .init("wordTimestamps", \.wordTimestamps),
            .init("vocabulary", \.vocabulary),
            .init("prompt", \.prompt),
            .clips(\.clips).rule("A clip must start at 0 seconds or later.") {
                $0.clips.allSatisfy { $0.lowerBound >= 0 && $0.lowerBound.isFinite }
            },
            .init("batchSize", \.batchSize, in: 1...64, or: "The batch size must be from 1 to 64."),
            .init("speakers", \.speakers).checking { try $0.speakers?.validate() },
        ]
    }
}

extension TranscriptionOptions {
    /// Converts a list of times in faster-whisper's format to clips: start, end, start, end …; the last end may be
    /// missing.
    ///
    /// `[10, 40, 60]` means 10 to 40 s, and 60 s to the end of the audio. An empty list means the whole recording.
    ///
    /// - Throws: ``StenoError`` with code `invalidOption` if a clip ends before it starts, or its start is negative or
    ///   not finite.
    package static func clips(timestamps: [Double]) throws -> [Range<Double>] {
        try stride(from: 0, to: timestamps.count, by: 2).map { index in
            let start = timestamps[index]
            let end = index + 1 < timestamps.count ? timestamps[index + 1] : .infinity
            try ensure(
                start >= 0 && start.isFinite && start <= end, or: .invalidOption,
                "A clip from \(start) to \(end) seconds cannot be decoded: it must start at 0 or later and not end before it starts."
            )
            return start..<end
        }
    }

    /// The clips in samples or frames; the whole recording when there are none.
    ///
    /// - Parameters:
    ///   - rate: The number of them in a second.
    ///   - rule: Which one a time between two of them belongs to.
    package func clips(
        rate: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> [Range<Int>] {
        // Beyond the end of any audio, with room left for arithmetic.
        let beyond = Int.max / 4
        func position(_ seconds: Double) -> Int { min(Int(exactly: (seconds * rate).rounded(rule)) ?? beyond, beyond) }
        return clips.isEmpty ? [0..<beyond] : clips.map { position($0.lowerBound)..<position($0.upperBound) }
    }
}

/// Options of one model family; models of other families refuse them.
package protocol FamilyOptions: Sendable, Hashable {
    /// The family, as ``SpeechModelInformation/family`` names it.
    static var family: String { get }
    /// The names of the options that do not have their defaults.
    var changes: [String] { get }
}

/// A family's options, comparable across families.
private struct OwnOptions: Sendable, Hashable {
    let options: any FamilyOptions

    static func == (left: OwnOptions, right: OwnOptions) -> Bool {
        AnyHashable(left.options) == AnyHashable(right.options)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(options)) }
}
