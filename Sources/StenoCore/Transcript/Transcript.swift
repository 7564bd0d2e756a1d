/// The transcript of one recording: its segments and language.
///
/// Its JSON has openai-whisper's field names, and openai-whisper's own JSON can be decoded.
public struct Transcript: Sendable, Hashable {
    /// The given or detected language code, such as `en`; `und` if there is no audio to detect it from.
    public var language: String
    /// The probability of the detected language, from 0 to 1; 1 when the language was given, or comes from JSON without
    /// a probability.
    public var languageProbability: Double
    /// The length of the audio in seconds; in JSON without it, the end of the last segment.
    public var duration: Double
    /// The seconds of audio decoded as speech, if voice activity detection was used.
    package var durationAfterVoiceActivity: Double?
    /// The segments, in order of time.
    public var segments: [Segment]
    /// The text removed by guards, in order of removal; nil without `WhisperOptions.guards`.
    public var guards: [GuardAction]?
    /// Warnings about the audio, for example that its end is missing or that it has no speech; nil if there are none.
    public var warnings: [TranscriptionWarning]?
    /// Who speaks when, as found by diarization; nil if only the speakers of words are known.
    package var speakerTurns: [SpeakerTurn]?

    /// Creates a transcript.
    public init(
        language: String, languageProbability: Double = 1, duration: Double,
        durationAfterVoiceActivity: Double? = nil, segments: [Segment], guards: [GuardAction]? = nil,
        warnings: [TranscriptionWarning]? = nil
    ) {
        (self.language, self.languageProbability, self.duration) = (language, languageProbability, duration)
        (self.durationAfterVoiceActivity, self.segments, self.guards) = (durationAfterVoiceActivity, segments, guards)
        self.warnings = warnings
    }

    /// The whole text: the segments' texts concatenated, without the leading space.
    public var text: String {
        let text: String = segments.map(\.text).joined()
        return String(text.drop { (character: Character) in character == " " })
    }

    /// All words with their times, in order; empty without word times.
    public var words: [Word] { segments.flatMap { $0.words ?? [] } }

    /// The speakers in the order in which they first speak; empty without speaker labels.
    public var speakers: [String] {
        var seen: Set<String> = []
        let labels: [String] = segments.flatMap { segment in
            let words = (segment.words ?? []).compactMap(\.speaker)
            return words.isEmpty ? [segment.speaker].compactMap(\.self) : words
        }
        return labels.filter { seen.insert($0).inserted }
    }

    /// The word spoken at a time; nil during pauses and without word times.
    ///
    /// - Parameter seconds: The time from the start of the audio.
    public func word(at seconds: Double) -> Word? {
        for segment in segments.reversed() {
            if let word = segment.words?.last(where: { $0.start <= seconds && seconds < $0.end }) { return word }
        }
        return nil
    }
}

extension Transcript: Codable {
    private enum CodingKeys: String, CodingKey {
        case text, language
        case languageProbability = "language_probability"
        case duration
        case durationAfterVoiceActivity = "duration_after_vad"
        case segments, guards, warnings
    }

    /// Decodes JSON from Steno or openai-whisper; text without segments becomes one segment.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            try container.decodeIfPresent(Value.self, forKey: key)
        }
        var segments: [Segment] = try value(.segments) ?? []
        let duration: Double? = try value(.duration)
        if segments.isEmpty, let text: String = try value(.text), !text.isEmpty {
            segments = [Segment(id: 0, start: 0, end: duration ?? 0, text: text)]
        }
        self.init(
            language: try container.decode(String.self, forKey: .language),
            languageProbability: try value(.languageProbability) ?? 1,
            duration: duration ?? segments.map(\.end).max() ?? 0,
            durationAfterVoiceActivity: try value(.durationAfterVoiceActivity), segments: segments,
            guards: try value(.guards), warnings: try value(.warnings))
    }

    /// Encodes openai-whisper's fields, and Steno's own.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
        try container.encode(language, forKey: .language)
        try container.encode(languageProbability, forKey: .languageProbability)
        try container.encode(duration, forKey: .duration)
        try container.encodeIfPresent(durationAfterVoiceActivity, forKey: .durationAfterVoiceActivity)
        try container.encode(segments, forKey: .segments)
        try container.encodeIfPresent(guards, forKey: .guards)
        try container.encodeIfPresent(warnings, forKey: .warnings)
    }
}

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
        (self.start, self.end, self.speaker) = (start, end, speaker)
    }
}

/// The kind of transcription.
public enum TranscriptionTask: String, Sendable, Codable, Hashable, CaseIterable {
    /// Text in the language spoken.
    case transcribe
    /// A translation into English.
    case translate
}
