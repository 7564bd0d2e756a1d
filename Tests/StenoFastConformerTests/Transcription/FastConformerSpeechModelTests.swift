import StenoCore
import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import StenoFastConformer

/// The family behind the interface of all models: small random models on real speech.
struct FastConformerSpeechModelTests {
    /// Half a sentence, twice, with five seconds of silence between and two before.
    private static func speech() throws -> [Float] {
        let words = try TestAudio.speech().prefix(4 * 16_000)
        return [Float](repeating: 0, count: 32_000) + words + [Float](repeating: 0, count: 80_000) + words
    }

    private final class Report {
        var segments: [Segment] = []
        var languages: [String] = []
        var progress: [Double] = []

        func add(_ event: TranscriptionProgressEvent) {
            switch event {
            case .language(let language): languages.append(language.language)
            case .segment(let segment): segments.append(segment)
            case .progress(let processed, _): progress.append(processed)
            }
        }
    }

    // MARK: Properties

    @Test func propertiesAreThoseOfTheModel() throws {
        let parakeet = try SpeechModels.parakeet.get().information
        #expect(parakeet.family == "FastConformer")
        #expect(parakeet.languages == ["en"])
        #expect(parakeet.tasks == [.transcribe])
        #expect(parakeet.options == [.vocabulary, .wordTimestamps, .clips])
        #expect(parakeet.details.first { $0.name == "decoder" }?.value == "TDT, 32 tokens")
        let nemotron = try SpeechModels.nemotron.get().information
        #expect(nemotron.languages == ["de", "en", "no"])
        #expect(
            nemotron.details.first { $0.name == "audio" }?.value == "streaming with a delay of 80, 160, 560, 1120 ms")
        #expect(nemotron.details.first { $0.name == "decoder" }?.value == "RNNT, 32 tokens")
    }

    @Test func optionsOfOtherModelsAreRefused() throws {
        let model = try SpeechModels.parakeet.get()
        try model.check(TranscriptionOptions(language: "English", wordTimestamps: true).with { $0.clips = [1..<2] })
        var beams = TranscriptionOptions().with { $0.vocabulary = ["a"] }
        beams.fastConformer.beamSize = 4
        try model.check(beams)
        expectError(.invalidOption, says: "streams", "beam size of 1") {
            try SpeechModels.nemotron.get().check(beams)
        }
        beams.fastConformer.beamSize = 65
        expectError(.invalidOption, says: "1 to 64") { try model.check(beams) }
        for (part, change) in [
            ("prompt", { $0.prompt = "a" }), ("FastConformer", { $0.prompt = "a" }),
            ("translate", { $0.task = .translate }), ("clip", { $0.clips = [-1..<2] }),
            ("batch size", { $0.batchSize = 0 }),
        ] as [(String, (inout TranscriptionOptions) -> Void)] {
            expectError(.invalidOption, says: part) { try model.check(TranscriptionOptions().with(change)) }
        }
        expectError(.unknownLanguage, says: "only English") { try model.check(TranscriptionOptions(language: "de")) }
        expectError(.unknownLanguage) { try model.transcribe(ArraySampleSource([]), options: .init(language: "de")) }
    }

    // MARK: Recordings

    /// The words of each window by itself: text and start.
    private static func words(
        of model: FastConformerSpeechModel, _ audio: [Float], streams: Bool
    ) throws -> [(text: String, start: Double)] {
        let windows = AudioWindows(
            ArraySampleSource(audio), clips: [], streams: streams, detector: try DetectorKind.silero.make(),
            checkCancellation: {})
        var all: [(text: String, start: Double)] = []
        while let window = try windows.next() {
            let words = try model.model.words(
                window.samples, lookAhead: streams ? 13 : nil, language: streams ? "de-DE" : nil)
            let start = VoiceActivity.seconds(window.start)
            all += words.map { ($0.text, Hundredths.rounded($0.start + start)) }
        }
        return all
    }

    /// Every window's words are in the transcript, at their time in the recording.
    @Test func aRecordingIsDecodedInWindows() throws {
        let model = try SpeechModels.parakeet.get(), audio = try Self.speech(), report = Report()
        let transcript = try model.transcribe(
            TestSources.Pipe(audio), options: TranscriptionOptions(wordTimestamps: true), onEvent: report.add)
        let words = try Self.words(of: model, audio, streams: false)
        #expect(words.count > 1)
        #expect(transcript.words.map(\.rawText) == words.map(\.text))
        #expect(transcript.words.map(\.start) == words.map(\.start))
        #expect(transcript.segments.map(\.text).joined() == words.map(\.text).joined())
        #expect(transcript.duration == Double(audio.count) / 16_000)
        #expect(transcript.language == "en")
        #expect(report.segments == transcript.segments)
        #expect(report.languages == ["en"])
        #expect(report.progress == report.progress.sorted())
        #expect(report.progress.last == transcript.duration)
    }

    @Test func wordsAreOnlyThereOnRequest() throws {
        let transcript = try SpeechModels.parakeet.get().transcribe(ArraySampleSource(Self.speech()))
        #expect(!transcript.segments.isEmpty)
        #expect(transcript.segments.allSatisfy { $0.words == nil })
    }

    /// Speech that never pauses, in which the seams must lose and repeat nothing: the same tokens all the time.
    @Test func longSpeechIsDecodedToItsEnd() throws {
        let model = try SpeechModels.parakeet.get()
        let sentence = try TestAudio.speech()
        let audio = Array((sentence + sentence + sentence + sentence).prefix(40 * 16_000))
        let transcript = try model.transcribe(
            ArraySampleSource(audio), options: TranscriptionOptions(wordTimestamps: true))
        let words = transcript.words
        #expect(words.map(\.start) == words.map(\.start).sorted())
        #expect((words.last?.end ?? 0) > 36)
        #expect(words.allSatisfy { $0.end <= 40 && $0.start <= $0.end })
    }

    @Test func aStreamingModelHearsEverythingOnce() throws {
        let model = try SpeechModels.nemotron.get(), audio = try Self.speech()
        let options = TranscriptionOptions(language: "German", wordTimestamps: true)
        let transcript = try model.transcribe(ArraySampleSource(audio), options: options)
        let words = try Self.words(of: model, audio, streams: true)
        #expect(transcript.words.map(\.rawText) == words.map(\.text))
        #expect(transcript.language == "de")
        #expect(transcript.languageProbability == 1)
    }

    @Test func theModelNamesTheLanguage() throws {
        let model = try SpeechModels.nemotron.get(), audio = try Self.speech()
        let transcript = try model.transcribe(ArraySampleSource(audio))
        // A random model names a language now and then.
        let detected = try? model.detectLanguage(
            ArraySampleSource(audio), TranscriptionOptions(), isCancelled: { false })
        #expect(["de", "en", LanguageDetection.undetermined].contains(transcript.language))
        if transcript.language != LanguageDetection.undetermined { #expect(detected != nil) }
    }

    @Test func clipsHaveTimesOfTheRecording() throws {
        let options = TranscriptionOptions(wordTimestamps: true).with { $0.clips = [2.5..<5] }
        let transcript = try SpeechModels.parakeet.get().transcribe(ArraySampleSource(Self.speech()), options: options)
        #expect(!transcript.words.isEmpty)
        #expect(transcript.words.allSatisfy { $0.start >= 2.5 && $0.end <= 5 })
        #expect(transcript.duration == 15)
    }

    @Test func silenceHasAWarning() throws {
        let model = try SpeechModels.parakeet.get()
        func warning(_ count: Int, clips: [Range<Double>] = []) throws -> TranscriptionWarning? {
            let transcript = try model.transcribe(
                ArraySampleSource([Float](repeating: 0, count: count)),
                options: TranscriptionOptions().with { $0.clips = clips })
            #expect(transcript.segments.isEmpty)
            return transcript.warnings?.first
        }
        #expect(try warning(0)?.code == .audioEmpty)
        #expect(try warning(48_000)?.message == "No speech was found in 3.0 s of audio.")
        #expect(try warning(48_000, clips: [1..<2])?.message.contains("1.0 s selected of 3.0 s") == true)
        #expect(try warning(48_000, clips: [7..<8])?.code == .audioEmpty)
    }

    @Test func oneDamagedRecordingDoesNotStopTheOthers() throws {
        let model = try SpeechModels.parakeet.get(), audio = try Self.speech()
        var damaged = audio
        damaged[40_000] = .nan
        var results: [Int: Result<Transcript, any Error>] = [:]
        let openers: [SpeechModel.AudioOpener] = [
            { ArraySampleSource(damaged) }, { throw StenoError(.audioNotFound, "gone") }, { ArraySampleSource(audio) },
        ]
        let options = TranscriptionOptions()
        try model.transcribe(ArrayFeed(openers, options), lanes: 1, options, isCancelled: { false }) {
            if let result = $1.result { results[$0] = result.transcript }
        }
        expectError(.audioDamaged) { try results[0]?.get() }
        expectError(.audioNotFound) { try results[1]?.get() }
        let alone = try model.transcribe(ArraySampleSource(audio))
        #expect(try results[2]?.get() == alone)
    }

    @Test func workCanBeCancelledAnywhere() throws {
        let model = try SpeechModels.parakeet.get(), audio = Array(try TestAudio.speech().prefix(32_000))
        // The first transcription also computes what all share.
        _ = try model.transcribe(ArraySampleSource(audio))
        let all = Questions()
        _ = try model.transcribe(ArraySampleSource(audio), isCancelled: all.ask)
        for limit in [0, 1, all.count / 2, all.count - 1] {
            expectError(.cancelled, "\(limit) of \(all.count)") {
                try model.transcribe(ArraySampleSource(audio), isCancelled: Questions(yesFrom: limit + 1).ask)
            }
        }
    }

    @Test func languagesAreDetectedByPrompt() throws {
        let english = try SpeechModels.parakeet.get()
        let audio = ArraySampleSource([0])
        #expect(try english.detectLanguage(audio, TranscriptionOptions(), isCancelled: { false }).language == "en")
        let nemotron = try SpeechModels.nemotron.get()
        expectError(.noSpeech) { try nemotron.detectLanguage(audio, TranscriptionOptions(), isCancelled: { false }) }
    }

    // MARK: Live

    @Test func aModelHearsLiveAudioInItsOwnWay() throws {
        if case .streaming = try SpeechModels.parakeet.get().makeLiveDecoder(LiveDecoderOptions()).model {
            Issue.record("A model for whole utterances cannot stream.")
        }
        // Beams and temperatures of a repeated decoder make no difference.
        _ = try SpeechModels.parakeet.get().makeLiveDecoder(LiveDecoderOptions(beamSize: 1))
        let nemotron = try SpeechModels.nemotron.get()
        guard case .streaming(let stream) = try nemotron.makeLiveDecoder(LiveDecoderOptions()).model else {
            Issue.record("A streaming model streams.")
            return
        }
        #expect(abs(stream.step - 0.56) < 1e-9)
        expectError(.invalidOption, says: "beam size") { try nemotron.makeLiveDecoder(LiveDecoderOptions(beamSize: 1)) }
    }
}
