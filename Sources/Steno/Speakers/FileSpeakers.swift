import StenoCore
import StenoSpeakers

/// The speakers of one recording, found while it is transcribed.
final class FileSpeakers {
    private let options: SpeakerOptions
    private let diarizer: any RecordingDiarizer
    private var tap: SpeakerTap?

    /// Prepares for a recording; nil if the options do not ask for speakers.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `resourceMissing`, `modelDamaged`, `outOfMemory`.
    init?(_ options: TranscriptionOptions) throws {
        guard let options = options.speakers else { return nil }
        try options.validate()
        self.options = options
        diarizer = try SpeakerModels.find()?.diarizer() ?? SpeakerDiarizer.bundled()
    }

    /// The audio for the model.
    func listen(to source: any SampleSource) -> any SampleSource {
        let tap = SpeakerTap(source, diarizer: diarizer)
        self.tap = tap
        return tap
    }

    func label(_ transcript: Transcript) throws -> Transcript {
        try tap?.finish()
        let found = diarizer.finish(counts: options.counts)
        let voices = Dictionary(uniqueKeysWithValues: found.voices.enumerated().map { ($0, $1) })
        return transcript.labelled(
            by: found.turns(names: SpeakerNames.names(of: voices, profiles: options.profiles)), isExact: found.isExact)
    }
}

extension SpeechModel {
    /// Transcribes one recording to its end, with its speakers if the options ask for them.
    func transcribe(
        labelling source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (TranscriptionProgressEvent) -> Void
    ) throws -> Transcript {
        let speakers = try FileSpeakers(options)
        let transcript = try transcribe(
            speakers?.listen(to: source) ?? source, options: options.withWordsForSpeakers, isCancelled: isCancelled,
            onEvent: onEvent)
        return try speakers?.label(transcript) ?? transcript
    }
}

extension TranscriptionOptions {
    /// The options, with word times if speakers are wanted, because words are labelled.
    var withWordsForSpeakers: TranscriptionOptions { speakers == nil ? self : withWords }

    /// The options with word times.
    var withWords: TranscriptionOptions {
        var options = self
        options.wordTimestamps = true
        return options
    }
}
