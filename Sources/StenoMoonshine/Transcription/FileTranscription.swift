import StenoCore
import StenoVoiceActivity

/// One recording's transcription, utterance by utterance.
final class FileTranscription {
    /// Audio shorter than this, in seconds, is shorter than any word.
    private static let shortest = 0.1
    /// The shortest utterance, in seconds, that is decoded in two parts if its text is implausible.
    private static let shortestSplit = 4.0
    /// The seconds of audio between two reports on the progress.
    private static let progressStep = 2.0

    private let recognizer: any UtteranceRecognizer
    private let source: any SampleSource
    private let reader: SampleReader
    private let clips: [Range<Int>]
    private let options: TranscriptionOptions
    private let language: LanguageDetection
    private let longest: Int
    private let makeDetector: () throws -> any VoiceActivityDetector
    private let onEvent: (TranscriptionProgressEvent) -> Void
    /// The length of the audio, if it could be read to its end before.
    private let sampleCount: Int?

    private var guards = TextGuard(GuardOptions())
    private var segments: [Segment] = []
    private var removed: [GuardAction] = []
    private var speechSamples = 0
    private var lastProgress = 0.0

    /// Opens a recording; one that can be rewound is read to its end, to find its length.
    ///
    /// - Parameters:
    ///   - longest: The longest utterance, in samples.
    ///   - makeDetector: Makes a detector of voice activity for one clip.
    init(
        _ source: any SampleSource, _ recognizer: any UtteranceRecognizer, _ options: TranscriptionOptions,
        language: LanguageDetection, longest: Int = UtteranceFinder.longest,
        makeDetector: @escaping () throws -> any VoiceActivityDetector,
        onEvent: @escaping (TranscriptionProgressEvent) -> Void
    ) throws {
        func checkCancellation() throws {
            try ensure(!recognizer.isCancelled(), or: .cancelled, "The transcription was cancelled.")
        }
        (self.source, self.recognizer, self.options, self.language) = (source, recognizer, options, language)
        (self.longest, self.makeDetector, self.onEvent) = (longest, makeDetector, onEvent)
        clips = options.clips(rate: Double(VoiceActivity.sampleRate))
        sampleCount = try SampleReader.length(of: source, checkCancellation: checkCancellation)
        reader = SampleReader(source, checkCancellation: checkCancellation)
    }

    func run() throws -> Transcript {
        onEvent(.language(language))
        for (number, clip) in clips.enumerated() {
            let later = clips[(number + 1)...].map(\.lowerBound).min() ?? .max
            // A clip may go back in time, where repeated text is legitimate.
            if number > 0, clip.lowerBound < clips[number - 1].upperBound { guards = TextGuard(GuardOptions()) }
            try transcribe(clip, laterFrom: later)
        }
        if let end = clips.last?.upperBound { report(upTo: min(end, sampleCount ?? reader.position), isLast: true) }
        return transcript
    }

    // MARK: Utterances

    /// - Parameter laterFrom: The first sample that later clips need.
    private func transcribe(_ clip: Range<Int>, laterFrom: Int) throws {
        let finder = UtteranceFinder(clip, of: reader, detector: try makeDetector(), longest: longest)
        func didListen() {
            reader.neededFrom = min(finder.neededFrom, laterFrom)
            report(upTo: finder.neededFrom)
        }
        reader.neededFrom = min(clip.lowerBound, laterFrom)
        while let utterance = try finder.next(didListen: didListen) {
            speechSamples += utterance.count
            let found = try recognize(utterance, finder)
            removed += found.compactMap(\.silence)
            let words = found.filter { !$0.text.isSilence }.flatMap(\.timedWords)
            add(Sentences.split(words), speech: finder.profile(utterance))
            report(upTo: utterance.upperBound)
        }
    }

    /// The text of an utterance, in two parts or more if the model fails on the whole.
    private func recognize(_ utterance: Range<Int>, _ finder: UtteranceFinder) throws -> [RecognizedUtterance] {
        let text = try recognizer.recognize(Array(reader[utterance]), draft: [])
        let whole = RecognizedUtterance(range: utterance, text: text)
        let isLong = VoiceActivity.seconds(utterance.count) >= Self.shortestSplit
        guard isLong, text.isImplausible, !text.isSilence else { return [whole] }
        let cut = finder.middle(of: utterance)
        let parts =
            try recognize(utterance.lowerBound..<cut, finder) + recognize(cut..<utterance.upperBound, finder)
        return parts.contains { $0.text.isImplausible } ? [whole] : parts
    }

    /// Adds sentences, except for what cannot have been said.
    private func add(_ sentences: [[Word]], speech: SpeechProfile) {
        let verdict = guards.check(sentences, speech: speech)
        removed += verdict.removed.map(\.action)
        for words in verdict.kept(of: sentences) {
            guard let first = words.first, let last = words.last else { continue }
            let segment = Segment(
                id: segments.count, start: first.start, end: last.end, text: words.map(\.rawText).joined(),
                words: options.wordTimestamps ? words : nil)
            segments.append(segment)
            onEvent(.segment(segment))
        }
    }

    private func report(upTo sample: Int, isLast: Bool = false) {
        let seconds = VoiceActivity.seconds(sample)
        guard seconds - lastProgress >= Self.progressStep || isLast && seconds > lastProgress else { return }
        lastProgress = seconds
        onEvent(.progress(processed: seconds, total: sampleCount.map(VoiceActivity.seconds)))
    }

    // MARK: The transcript

    private var duration: Double { VoiceActivity.seconds(sampleCount ?? reader.position) }

    private var transcript: Transcript {
        let warnings =
            source.warnings
            + TranscriptionWarning.missingText(
                duration: duration, clips: options.clips, hasText: !segments.isEmpty, shortest: Self.shortest)
        return Transcript(
            language: language.language, languageProbability: language.probability, duration: duration,
            durationAfterVoiceActivity: VoiceActivity.seconds(speechSamples), segments: segments, guards: removed,
            warnings: warnings.isEmpty ? nil : warnings)
    }
}

/// An utterance, or part of one, with its text.
private struct RecognizedUtterance {
    /// Its samples.
    var range: Range<Int>
    var text: RecognizedText

    /// The report on a text that the model writes if there is no speech.
    var silence: GuardAction? {
        let words = timedWords
        guard text.isSilence, let first = words.first, let last = words.last else { return nil }
        return GuardAction(
            kind: .noSpeech, start: first.start, end: last.end, text: words.map(\.rawText).joined(),
            reason: "the text that the model writes for audio without speech")
    }

    /// The words with times from the start of the audio.
    var timedWords: [Word] {
        let offset = VoiceActivity.seconds(range.lowerBound), length = VoiceActivity.seconds(range.count)
        return text.words.map { word in
            let start = Hundredths.rounded(offset + min(word.start, length))
            return Word(
                rawText: word.text, start: start,
                end: max(start, Hundredths.rounded(offset + min(word.end, length))), probability: word.probability)
        }
    }
}

extension SampleReader {
    /// The number of samples of a source that can be rewound; nil for one that cannot, which is not read.
    fileprivate static func length(
        of source: any SampleSource, checkCancellation: @escaping () throws -> Void
    ) throws -> Int? {
        guard try source.rewind() else { return nil }
        let reader = SampleReader(source, checkCancellation: checkCancellation)
        while try reader.readOn() { reader.neededFrom = reader.position }
        try ensure(
            source.rewind(), or: .audioUnreadable,
            "The audio cannot be read a second time. Try again when the file is no longer being written.")
        return reader.position
    }
}
