import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoFasterWhisper

/// Streams deliver all text once, and no call waits for a decoding.
///
/// The model hears one word per second of audio that is not silent.
@Suite(.timeLimit(.minutes(60))) struct StreamingRecognizerTests {
    /// Ten seconds of words with some silences in between.
    private let audio = [1, 1, 0, 0, 1, 1, 1, 0, 0, 1].flatMap { [Float](repeating: $0 * 0.3, count: 16_000) }
    private let model = CountingModel(SecondFamilyModel())

    private func recognizer(pace: LivePace = .fast, model: (any SpeechModel)? = nil) -> StreamingRecognizer {
        StreamingRecognizer(
            Transcriber(model: model ?? self.model), tuning: .init(pace: pace, adjust: { $0.detector = .energy }))
    }

    private func observed(
        _ model: (any SpeechModel)? = nil, pace: LivePace = .fast
    ) async -> (StreamingRecognizer, Listener) {
        let (recognizer, listener) = (recognizer(pace: pace, model: model), Listener())
        await recognizer.setDelegate(listener)
        return (recognizer, listener)
    }

    private func engineText(
        _ model: CountingModel
    ) async throws -> (text: String, segments: [LiveSegment], decodings: Int) {
        var options = LiveOptions(language: "en")
        options.detector = .energy
        let (text, decodings) = try await model.heard(audio, options: options)
        return (text.finalText, text.finals, decodings)
    }

    @Test(arguments: [1, 480, 1_600, 7_919, 16_000, 100_000, 160_000], SecondFamilyModel.Hearing.allCases)
    func chunksOfAnySizeGiveTheEnginesTextOnce(length: Int, hearing: SecondFamilyModel.Hearing) async throws {
        let model = CountingModel(SecondFamilyModel(hearing: hearing))
        let expected = try await engineText(model)
        #expect(!expected.text.isEmpty)
        let (recognizer, listener) = await observed(model)
        await recognizer.configure(language: "en")
        var text = ""
        var segments: [TranscriptionSegment] = []
        // Single samples are slow in a debug build; a fortieth of a second shows the same.
        let short = length == 1 ? 400 : length
        for start in stride(from: 0, to: audio.count, by: short) {
            let chunk = audio[start..<min(start + short, audio.count)]
            let parts = length == 1 ? [Array(chunk.prefix(1)), [], Array(chunk.dropFirst())] : [Array(chunk)]
            for part in parts { text += await recognizer.addAudioChunk(part) }
            segments += await recognizer.getNewSegments()
        }
        text += await recognizer.stop()
        segments += await recognizer.getNewSegments()
        #expect(text == expected.text)
        #expect(await recognizer.getNewText() == text)
        #expect(await recognizer.getNewText().isEmpty)
        #expect(segments.map(\.text) == expected.segments.map(\.text))
        #expect(segments.map { Double($0.start) } == expected.segments.map { Double(Float($0.start)) })
        #expect(listener.segments == segments && listener.errors == [nil])
        #expect(model.takeDecodings() == expected.decodings, "it decodes as often as the engine")
        #expect(await recognizer.getNewSegments().isEmpty)
        #expect(await recognizer.stop().isEmpty)
    }

    /// A full stop that comes with the utterance's end joins its word, unless that was fetched already.
    @Test(arguments: [false, true]) func finalFullStopsAreNotLost(isFetched: Bool) async throws {
        let (recognizer, listener) = await observed(SecondFamilyModel(words: ["one", "."], hearing: .streaming))
        await recognizer.configure(language: "en")
        let speech = [Float](repeating: 0.3, count: 32_000)
        // The first word is final as soon as the second has started.
        var text = await recognizer.addAudioChunk(Array(speech.prefix(30_000)))
        var segments: [TranscriptionSegment] = []
        while isFetched, segments.isEmpty {
            segments = await recognizer.getNewSegments()
            await Task.yield()
        }
        text += await recognizer.addAudioChunk(speech.suffix(2_000) + [Float](repeating: 0, count: 32_000))
        text += await recognizer.stop()
        segments += await recognizer.getNewSegments()
        #expect(text == "one .")
        #expect(await recognizer.getNewText() == text)
        #expect(segments.map(\.text) == (isFetched ? [" one", " ."] : [" one ."]))
        #expect(listener.segments.map(\.text) == [" one", " ."])
        let mark = try #require(listener.segments.last)
        #expect(mark.start == mark.end && mark.end == listener.segments.first?.end)
    }

    @Test func aRecordingGivesTheEnginesTextWithAsManyDecodings() async throws {
        let model = CountingModel(try await Transcriber.load(.folder(Fixtures.nano)).model)
        let samples = try await decoded(Fixtures.file("sounds/norway.wav"))
        let (expected, decodings) = try await model.heard(samples)
        let recognizer = StreamingRecognizer(Transcriber(model: model), tuning: .init(pace: .fast))
        await recognizer.configure()
        var text = ""
        for chunk in Recordings.chunks(samples) { text += await recognizer.addAudioChunk(chunk) }
        text += await recognizer.stop()
        #expect(text == expected.finalText && text.contains("Norway"))
        #expect(model.takeDecodings() == decodings && decodings > 0)
    }

    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func stoppingInACancelledTaskLosesNothing(hearing: SecondFamilyModel.Hearing) async throws {
        let model = CountingModel(SecondFamilyModel(hearing: hearing))
        let expected = try await engineText(model)
        let recognizer = recognizer(pace: .realTime, model: model)
        await recognizer.configure(language: "en")
        let all = audio
        let task = Task {
            var text = await recognizer.addAudioChunk(all)
            withUnsafeCurrentTask { $0?.cancel() }
            text += await recognizer.stop()
            return text
        }
        #expect(await task.value.split(separator: " ").count == expected.text.split(separator: " ").count)
    }

    @Test func streamsFollowEachOther() async throws {
        let recognizer = recognizer()
        var texts: [String] = []
        for _ in 0..<2 {
            await recognizer.configure(language: "en")
            texts.append(await recognizer.addAudioChunk(audio) + (await recognizer.stop()))
        }
        #expect(texts[0] == texts[1])
        // Silence has no text and is no error.
        await recognizer.configure()
        #expect(await recognizer.addAudioChunk([Float](repeating: 0, count: 48_000)).isEmpty)
        #expect(await recognizer.addAudioChunk([.nan, .infinity]).isEmpty)
        #expect(await recognizer.stop().isEmpty)
        #expect(await recognizer.error == nil)
    }

    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func noCallWaitsForADecoding(hearing: SecondFamilyModel.Hearing) async throws {
        let gate = Gate()
        let recognizer = recognizer(pace: .realTime, model: GatedModel(gate, hearing: hearing))
        await recognizer.configure(language: "en")
        // The decoder is stuck until the gate opens, but every call returns.
        for start in stride(from: 0, to: audio.count, by: 16_000) {
            #expect(await recognizer.addAudioChunk(Array(audio[start..<start + 16_000])).isEmpty)
            #expect(await recognizer.getNewSegments().isEmpty)
        }
        gate.open()
        #expect(await recognizer.stop().split(separator: " ").count == 6)
    }

    /// Every decoding takes five seconds of audio time, so the stream falls behind at once.
    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func audioIsSkippedOnlyOnRequest(hearing: SecondFamilyModel.Hearing) async throws {
        let (recognizer, listener) = await observed(SecondFamilyModel(hearing: hearing), pace: .charged(seconds: 5))
        await recognizer.configure(language: "en")
        let text = await recognizer.addAudioChunk(audio) + (await recognizer.stop())
        #expect(text.split(separator: " ").count == 6)
        #expect(await recognizer.skippedAudio.isEmpty && listener.skipped.isEmpty)
        await recognizer.configure(language: "en", overflow: .skipQuietest(whenBehind: 1))
        for _ in 0..<4 { await recognizer.addAudioChunk(audio) }
        await recognizer.stop()
        let skipped = await recognizer.skippedAudio
        #expect(!skipped.isEmpty && listener.skipped == skipped && listener.errors == [nil, nil])
    }

    @Test func audioWithoutAStreamIsReported() async throws {
        let (recognizer, listener) = await observed()
        #expect(await recognizer.addAudioChunk(audio).isEmpty)
        #expect(await recognizer.error == .streamingNotActive)
        await recognizer.configure(language: "en")
        #expect(await recognizer.error == nil)
        await recognizer.stop()
        await recognizer.addAudioChunk(audio)
        await recognizer.addAudioChunk(audio)
        #expect(listener.errors == [.streamingNotActive, nil, .streamingNotActive], "once for each time")
        // A delegate that comes later hears why nothing started.
        let failed = StreamingRecognizer(modelPath: "/there/is/no/model")
        await failed.configure(language: "en")
        #expect(await failed.error == .invalidModelPath)
        let late = Listener()
        await failed.setDelegate(late)
        await failed.addAudioChunk(audio)
        await failed.addAudioChunk(audio)
        #expect(late.errors == [.invalidModelPath], "once")
        await #expect(throws: RecognitionError.invalidModelPath) { try await failed.loadModel() }
    }

    @Test func failedStartsSayWhy() async {
        let (recognizer, listener) = await observed()
        func message(_ language: String?, _ task: String) async -> String? {
            await recognizer.configure(language: language, task: task)
            guard case .streamingStartFailed(let message) = await recognizer.error else { return nil }
            return message
        }
        #expect(await message("en", "summarize")?.contains("“translate”") == true)
        #expect(await message("klingon", "transcribe")?.contains("klingon") == true)
        #expect(await message("en", "translate")?.contains("cannot translate") == true)
        #expect(listener.errors.count == 3 && !listener.errors.contains(nil))
        #expect(await recognizer.addAudioChunk(audio).isEmpty)
        #expect(listener.errors.count == 3, "that no stream is running was said already")
        await recognizer.configure(language: "en")
        #expect(await recognizer.error == nil)
    }

    @Test func aRunningStreamOutlivesAWrongChange() async {
        let (recognizer, listener) = await observed()
        await recognizer.configure(language: "en")
        await recognizer.configure(language: "klingon")
        guard case .streamingStartFailed(let message) = await recognizer.error else {
            return #expect(Bool(false), "the error says what is wrong")
        }
        #expect(message.contains("klingon") && listener.errors.isEmpty)
        let text = await recognizer.addAudioChunk(audio) + (await recognizer.stop())
        #expect(text.split(separator: " ").count == 6)
        #expect(listener.errors == [nil])
    }

    @Test func modelErrorsEndTheStreamWithTheirMessage() async throws {
        let gate = Gate()
        gate.open()
        let (recognizer, listener) = await observed(GatedModel(gate, fails: true))
        await recognizer.configure(language: "en")
        await recognizer.addAudioChunk(audio)
        await recognizer.stop()
        #expect(listener.errors == [.recognitionFailed("The weights are damaged.")])
        #expect(await recognizer.error == .recognitionFailed("The weights are damaged."))
    }

    @Test func releasedRecognizersAndTheirDecodersAreFreed() async throws {
        let gate = Gate()
        gate.open()
        weak var dropped: StreamingRecognizer?
        do {
            let recognizer = recognizer(pace: .realTime, model: GatedModel(gate))
            await recognizer.configure(language: "en")
            await recognizer.addAudioChunk(audio)
            dropped = recognizer
        }
        await gate.decoderIsGone()
        #expect(dropped == nil)
    }
}
