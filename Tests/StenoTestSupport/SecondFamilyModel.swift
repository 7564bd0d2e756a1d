package import Steno
package import StenoCore

/// A model of a family other than Whisper: it recognises one word in each whole second of audio that is not silent.
///
/// It has no tokens, temperatures, windows or timestamps, so code that works with it depends only on ``SpeechModel``.
package final class SecondFamilyModel: SequentialModel {
    /// How a model of the family hears live audio.
    package enum Hearing: Sendable, CaseIterable {
        /// An utterance is decoded again and again.
        case repeated
        /// Every sample is heard once; a word is final when the second after it has begun.
        case streaming
    }

    package let words: [String]
    private let hearing: Hearing
    private let options: Set<TranscriptionOptions.Name>
    private let languages: [String]

    package init(
        words: [String] = ["one", "two", "three", "four"], hearing: Hearing = .repeated,
        options: Set<TranscriptionOptions.Name> = Set(TranscriptionOptions.Name.allCases),
        languages: [String] = ["en", "xx"]
    ) {
        self.words = words
        self.hearing = hearing
        self.options = options
        self.languages = languages
    }

    package var information: SpeechModelInformation {
        SpeechModelInformation(
            family: "Scripted", source: ModelSource(path: "/", format: "script", storedPrecision: "text", byteCount: 0),
            precision: .float32, threads: 1, parameterCount: 0, languages: languages, options: options)
    }

    package func check(_ request: TranscriptionOptions) throws {
        try request.check(for: information)
        guard information.languages.contains(request.language ?? "en") else {
            throw StenoError(
                .unknownLanguage, "The scripted model does not know the language \(request.language ?? "").")
        }
    }

    package func makeFileDecoder(isCancelled: @escaping () -> Bool) throws -> FileDecoder {
        { [self] recording, onEvent in
            let request = recording.options
            let samples = try readAll(recording.open(), pieces: [16_000])
            let language = LanguageDetection(language: request.language ?? "en", probability: 1)
            onEvent(.language(language))
            let segments = words(in: samples).enumerated().map { id, word in
                Segment(
                    id: id, start: word.start, end: word.end, text: word.rawText,
                    words: request.wordTimestamps ? [word] : nil)
            }
            for segment in segments { onEvent(.segment(segment)) }
            let seconds = Double(samples.count) / 16_000
            onEvent(.progress(processed: seconds, total: seconds))
            return Transcript(
                language: language.language, languageProbability: 1, duration: seconds, segments: segments)
        }
    }

    package func detectLanguage(
        _ source: any SampleSource, _ request: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { LanguageDetection(language: "xx", probability: 1) }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        guard hearing == .streaming else { return .repeated(Decoder(self)) }
        try options.refuseChanges(for: "Scripted streaming")
        return .streaming(Stream(self))
    }

    private func words(in samples: some Collection<Float>) -> [Word] {
        let samples = Array(samples)
        return (0..<samples.count / 16_000).compactMap { second in
            guard samples[second * 16_000..<(second + 1) * 16_000].contains(where: { $0 != 0 }) else { return nil }
            return Word(
                rawText: " " + words[second % words.count], start: Double(second), end: Double(second) + 0.9,
                probability: 1)
        }
    }

    private final class Decoder: UtteranceDecoding {
        var isCancelled: () -> Bool = { false }
        let searchesAlike = false
        private let model: SecondFamilyModel

        init(_ model: SecondFamilyModel) { self.model = model }

        func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
            let words = model.words(in: samples).map {
                UtteranceWord(text: $0.rawText, handle: [Int($0.start)], start: $0.start, end: $0.end)
            }
            return UtteranceHypothesis(
                words: words, language: LanguageDetection(language: request.settings.language ?? "en", probability: 1))
        }
    }

    private final class Stream: StreamDecoding {
        var isCancelled: () -> Bool = { false }
        let step = 0.25
        private let model: SecondFamilyModel
        private var language = "en"
        private var heard: [Float] = []
        private var finals = 0

        init(_ model: SecondFamilyModel) { self.model = model }

        func begin(_ request: UtteranceRequest) throws {
            language = request.settings.language ?? "en"
            (heard, finals) = ([], 0)
        }

        func hear(_ samples: [Float], isLast: Bool) throws -> UtteranceHypothesis {
            guard !isCancelled() else { throw StenoError(.cancelled, "Cancelled.") }
            heard += samples
            let words = model.words(in: heard)
            let sure = isLast ? words.count : words.count { Int($0.start) * 16_000 + 17_600 <= heard.count }
            let new = words[finals...].map { UtteranceWord(text: $0.rawText, start: $0.start, end: $0.end) }
            let count = max(sure - finals, 0)
            finals += count
            return UtteranceHypothesis(
                words: new, finalCount: count, language: LanguageDetection(language: language, probability: 1))
        }
    }
}

/// A model that forwards to another whatever it does not implement itself.
package protocol ForwardingModel: SpeechModel {
    var model: any SpeechModel { get }
}

extension ForwardingModel {
    package var information: SpeechModelInformation { model.information }

    package func check(_ options: TranscriptionOptions) throws { try model.check(options) }

    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, RecordingEvent) -> Void
    ) throws {
        try model.transcribe(feed, lanes: lanes, options, isCancelled: isCancelled, onEvent: onEvent)
    }

    package func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { try model.detectLanguage(source, options, isCancelled: isCancelled) }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options)
    }
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        try model.measureRealTimeFactor(isCancelled: isCancelled)
    }
}

/// A model that counts the decodings of live audio, from any caller.
package final class CountingModel: ForwardingModel {
    private let count = Monitor(0)
    package let model: any SpeechModel

    package init(_ model: any SpeechModel) { self.model = model }

    /// The number of decodings since the last call.
    package func takeDecodings() -> Int {
        count.update { count in
            defer { count = 0 }
            return count
        }
    }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options).wrapped { _, decode in
            self.count.update { $0 += 1 }
            return try decode()
        }
    }

    /// The engine's own text for samples with this model, and the number of decodings it took.
    package func heard(
        _ samples: [Float], options: LiveOptions = LiveOptions()
    ) async throws -> (text: LiveTranscript, decodings: Int) {
        let engine = try ModelEngine(model: self, options: options, pace: .fast)
        let events = engine.events(buffering: .unbounded)
        _ = takeDecodings()
        try await engine.start()
        try await engine.append(samples)
        try await engine.finish()
        let text = await events.reduce(into: LiveTranscript()) { $0.apply($1) }
        return (text, takeDecodings())
    }
}
