import StenoCore
import StenoVoiceActivity

/// One recording's transcription: reads its windows, decodes them, and reports the segments.
final class RecordingTranscription {
    private let model: FastConformerModel
    private let languages: SpokenLanguages
    private let options: TranscriptionOptions
    private let state: FastConformerState
    private let source: any SampleSource
    private let windows: AudioWindows
    private let onEvent: (TranscriptionProgressEvent) -> Void
    /// The code of the model's prompt.
    private let prompt: String?
    private let keepsWords: Bool

    private var segmenter: SegmentBuilder
    private var segments: [Segment] = []
    /// How often the model named each language.
    private var tags: [String: Int] = [:]
    private var hasReportedLanguage = false
    /// The words of the last window, if the next one repeats its end.
    private var held: [UtteranceWord] = []
    /// The words of a stream, and its first sample.
    private var stream: (words: WordBuilder, start: Int)?

    /// - Parameter state: Memory for this transcription; it may have served others before.
    init(
        _ model: FastConformerModel, _ languages: SpokenLanguages, _ options: TranscriptionOptions,
        _ state: FastConformerState, _ source: any SampleSource, onEvent: @escaping (TranscriptionProgressEvent) -> Void
    ) throws {
        (self.model, self.languages, self.options) = (model, languages, options)
        (self.state, self.source, self.onEvent) = (state, source, onEvent)
        prompt = try languages.prompt(for: options.language)
        keepsWords = options.wordTimestamps || options.speakers != nil
        segmenter = SegmentBuilder(keepsWords: keepsWords)
        windows = AudioWindows(
            source, clips: options.clips, streams: model.configuration.streaming != nil,
            detector: try DetectorKind.silero.make(), checkCancellation: state.checkCancellation)
    }

    /// - Throws: ``StenoError``: `cancelled`, `audioDamaged`, `outOfMemory`; the errors of the source.
    func run() throws -> Transcript {
        while let window = try windows.next() {
            segmenter.append(try words(of: window))
            report()
            reportProgress(Double(window.start + window.samples.count))
        }
        segmenter.append(held)
        segmenter.endSegment()
        report()
        let duration = VoiceActivity.seconds(windows.sampleCount ?? 0)
        reportProgress(Double(windows.sampleCount ?? 0))
        let language = self.language
        var transcript = Transcript(
            language: language.language, languageProbability: language.probability, duration: duration,
            segments: segments)
        let warnings = source.warnings + warnings(duration)
        if !warnings.isEmpty { transcript.warnings = warnings }
        return transcript
    }

    /// The language spoken at the start, as the model names it; nil if there is no speech in the first windows.
    func detectLanguage() throws -> LanguageDetection? {
        for _ in 0..<Self.detectionWindows {
            guard let window = try windows.next() else { break }
            _ = try words(of: window)
            if let stream { count(stream.words.languages) }
            if let language = SpokenLanguages.detection(tags) { return language }
        }
        return nil
    }

    private static let detectionWindows = 4

    // MARK: Words

    /// The words that are settled with a window, with times from the start of the recording.
    private func words(of window: AudioWindows.Window) throws -> [UtteranceWord] {
        guard model.configuration.streaming == nil else { return try streamedWords(of: window) }
        var builder = WordBuilder(model.tokenizer)
        builder.append(try window.samples.withUnsafeBufferPointer { try state.transcribe($0, language: prompt) })
        builder.endWord()
        count(builder.languages)
        let end = VoiceActivity.seconds(window.start + window.samples.count)
        let new = builder.takeWords().map { $0.shifted(by: VoiceActivity.seconds(window.start)).ending(by: end) }
        let words = joined(new, window)
        held = window.isLast ? [] : words.filter { $0.end > VoiceActivity.seconds(window.start) }
        return Array(words.dropLast(held.count))
    }

    /// The held words and those of a window that may repeat them.
    private func joined(_ new: [UtteranceWord], _ window: AudioWindows.Window) -> [UtteranceWord] {
        guard window.overlap > 0 else { return held + new }
        let start = VoiceActivity.seconds(window.start)
        return WindowSeam.join(held, new, overlap: start...start + VoiceActivity.seconds(window.overlap))
    }

    private func streamedWords(of window: AudioWindows.Window) throws -> [UtteranceWord] {
        var current: (words: WordBuilder, start: Int)
        if let stream {
            current = stream
        } else {
            // Nothing waits for the text, so the model may look ahead as far as it can.
            let lookAheads = model.configuration.streaming?.lookAheads ?? []
            try state.begin(lookAhead: lookAheads.max() ?? 0, language: prompt)
            current = (WordBuilder(model.tokenizer), window.start)
        }
        current.words.append(try state.hear(window.samples, isLast: window.isLast))
        if window.isLast {
            current.words.endWord()
            count(current.words.languages)
        }
        let words = current.words.takeWords().map { $0.shifted(by: VoiceActivity.seconds(current.start)) }
        stream = window.isLast ? nil : current
        return words
    }

    private func count(_ languages: [String: Int]) { tags.merge(languages) { $0 + $1 } }

    // MARK: Results

    private var language: LanguageDetection {
        guard prompt == nil else { return languages.detection(prompt) }
        return SpokenLanguages.detection(tags) ?? languages.detection(nil)
    }

    private func report() {
        let new = segmenter.takeSegments()
        if !new.isEmpty, !hasReportedLanguage {
            hasReportedLanguage = true
            let language = self.language
            if language.language != LanguageDetection.undetermined { onEvent(.language(language)) }
        }
        segments += new
        for segment in new { onEvent(.segment(segment)) }
    }

    private func reportProgress(_ sample: Double) {
        let rate = Double(VoiceActivity.sampleRate)
        onEvent(.progress(processed: sample / rate, total: windows.sampleCount.map { Double($0) / rate }))
    }

    /// Why there is unexpectedly no text; one reason is enough.
    private func warnings(_ duration: Double) -> [TranscriptionWarning] {
        let length = "\(Hundredths.rounded(duration)) s"
        if duration == 0 { return [TranscriptionWarning(.audioEmpty, "There are no samples in this audio.")] }
        if let clip = options.clips.first(where: { $0.lowerBound >= duration }) {
            return [
                TranscriptionWarning(
                    .audioEmpty,
                    "A clip begins at \(Hundredths.rounded(clip.lowerBound)) s, but the audio ends at \(length).")
            ]
        }
        guard segments.isEmpty else { return [] }
        let selected = options.clips.map { max(0, min($0.upperBound, duration) - $0.lowerBound) }.reduce(0, +)
        let part = options.clips.isEmpty ? "\(length)" : "the \(Hundredths.rounded(selected)) s selected of \(length)"
        return [TranscriptionWarning(.noSpeech, "No speech was found in \(part) of audio.")]
    }
}
