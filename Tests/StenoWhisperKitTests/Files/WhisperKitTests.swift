import Foundation
import StenoModelStore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoWhisperKit

/// Recordings: results, progress, errors.
@Suite(.timeLimit(.minutes(60))) struct WhisperKitTests {
    private static func nano() async throws -> WhisperKit {
        try await WhisperKit(WhisperKitConfig(modelFolder: Fixtures.nano.path, download: false))
    }

    private func error<Value>(_ work: () async throws -> Value) async -> WhisperError? {
        await #expect(throws: WhisperError.self) { _ = try await work() }
    }

    @Test func aResultHasItsSegmentsWordsAndTimings() async throws {
        let whisperKit = try await Self.nano()
        let found = Recorder<String>()
        let samples = try await decoded(Recordings.sentence)
        let results: [TranscriptionResult] = try await whisperKit.transcribe(
            audioArray: samples, decodeOptions: DecodingOptions(wordTimestamps: true),
            segmentCallback: { for segment in $0 { found.add(segment.text) } })
        let result = try #require(results.first)
        Recordings.expectSentence(result.text)
        #expect(result.language == "en")
        #expect(found.all == result.segments.map(\.text))
        #expect(result.segments.allSatisfy { !$0.tokens.isEmpty && $0.avgLogprob < 0 && $0.words?.isEmpty == false })
        // The tokens of the words are those of their segment.
        let tokenizer = try #require(whisperKit.tokenizer)
        #expect(result.allWords.count == result.segments.reduce(0) { $0 + ($1.words?.count ?? 0) })
        for segment in result.segments {
            let text = segment.tokens.filter { $0 < tokenizer.specialTokens.specialTokenBegin }
            #expect(segment.words?.flatMap(\.tokens) == text)
        }
        for word in result.allWords { #expect(tokenizer.decode(tokens: word.tokens) == word.word) }
        #expect(abs(result.timings.inputAudioSeconds - 2.443) < 0.001 && result.timings.tokenCount > 5)
        #expect(result.timings.speedFactor > 0 && result.timings.realTimeFactor > 0)
        let encoded = tokenizer.encode(text: " my fellow Americans")
        #expect(tokenizer.decode(tokens: encoded) == " my fellow Americans")
        // The special tokens are the model's.
        let tokens = tokenizer.specialTokens
        #expect(tokens.specialTokenBegin == 50_257 && tokens.endToken == 50_257 && tokens.whitespaceToken == 220)
        #expect(tokens.startOfTranscriptToken == 50_258 && tokens.englishToken == 50_259)
        #expect(tokens.translateToken == 50_358 && tokens.transcribeToken == 50_359)
        #expect(tokens.startOfPreviousToken == 50_361 && tokens.noSpeechToken == 50_362)
        #expect(tokens.noTimestampsToken == 50_363 && tokens.timeTokenBegin == 50_364)
    }

    @Test func severalRecordingsHaveAResultEach() async throws {
        let whisperKit = try await Self.nano()
        let found = Recorder<String>()
        whisperKit.segmentDiscoveryCallback = { for segment in $0 { found.add(segment.text) } }
        let samples = try await decoded(Recordings.sentence)
        let arrays = await whisperKit.transcribeWithResults(audioArrays: [[.nan], samples])
        #expect(throws: WhisperError.self) { try arrays[0].get() }
        Recordings.expectSentence(try #require(try arrays[1].get().first).text)
        #expect(found.all.isEmpty == false)
        let results = await whisperKit.transcribe(audioArrays: [samples, [.nan]])
        #expect(results.count == 2 && results[0]?.count == 1 && results[1] == nil)
        let files = await whisperKit.transcribeWithResults(audioPaths: ["/no/such/recording.wav"])
        #expect(files.count == 1)
        #expect(throws: WhisperError.self) { try files[0].get() }
    }

    @Test func resultsAreMerged() {
        func result(_ text: String, _ language: String) -> TranscriptionResult {
            TranscriptionResult(
                text: text, segments: [TranscriptionSegment(id: 0, text: " " + text)], language: language,
                timings: TranscriptionTimings(inputAudioSeconds: 2, fullPipeline: 1, tokenCount: 3))
        }
        let merged = TranscriptionUtilities.mergeTranscriptionResults(
            [result("Hallo.", "de"), nil, result("", "en"), result("Hello.", "en")])
        #expect(merged.text == "Hallo. Hello." && merged.language == "de" && merged.segments.map(\.id) == [0, 1, 2])
        #expect(merged.timings == TranscriptionTimings(inputAudioSeconds: 6, fullPipeline: 3, tokenCount: 9))
        let word = WordTiming(word: " Hi", start: 0, end: 1, probability: 1)
        #expect(TranscriptionUtilities.mergeTranscriptionResults([], confirmedWords: [word]).text == " Hi")
        #expect(TranscriptionUtilities.mergeTranscriptionResults([]).language == "und")
        #expect(Constants.languages["german"] == "de" && Constants.languageCodes.contains("yue"))
    }

    @Test func callbacksThatReturnFalseEndTheTranscription() async throws {
        let whisperKit = try await Self.nano()
        let texts = Recorder<String>()
        let samples = try await decoded(Recordings.sentence)
        // A second window would have more.
        let twice = samples + [Float](repeating: 0, count: 480_000 - samples.count) + samples
        let results: [TranscriptionResult] = try await whisperKit.transcribe(audioArray: twice, decodeOptions: nil) {
            progress in
            texts.add(progress.text)
            return false
        }
        #expect(texts.all.count == 1 && results.first?.text == texts.all.first && results.first?.segments.count == 1)
    }

    @Test func silenceAndShortAudioAreNotErrorsAndReleasedInstancesAreFreed() async throws {
        weak var dropped: WhisperKit?
        do {
            let whisperKit = try await Self.nano()
            for count in [0, 1, 8_000, 48_000] {
                let results: [TranscriptionResult] = try await whisperKit.transcribe(
                    audioArray: [Float](repeating: 0, count: count))
                #expect(results.map(\.text) == [""], "\(count) samples")
            }
            dropped = whisperKit
        }
        #expect(dropped == nil)
    }

    @Test func errorsHaveATypeAndAReadableMessage() async throws {
        let whisperKit = try await Self.nano()
        func failure(_ work: () async throws -> [TranscriptionResult]) async -> WhisperError? { await error(work) }
        let missing = await failure { try await whisperKit.transcribe(audioPath: "/no/such/recording.wav") }
        let numbers = await failure { try await whisperKit.transcribe(audioArray: [.nan]) }
        let language = await failure {
            try await whisperKit.transcribe(audioArray: [0], decodeOptions: DecodingOptions(language: "klingon"))
        }
        guard
            case (.loadAudioFailed(let message), .audioProcessingFailed, .transcriptionFailed) =
                (try #require(missing), try #require(numbers), try #require(language))
        else { return #expect(Bool(false), "\([missing, numbers, language])") }
        #expect(message.contains("recording.wav") && language?.localizedDescription.contains("klingon") == true)
    }

    @Test func theErrorForAMissingModelNamesTheCommandThatInstallsIt() async throws {
        let home = try TemporaryFolder()
        let locator = ModelLocator(bundled: nil, environment: [:], home: home.url)
        await ModelFinder.$current.withValue(ModelFinder(ModelSupply(locator: locator))) {
            let missing = await error { try await WhisperKit(model: "openai_whisper-tiny") }
            #expect(missing?.localizedDescription.contains("`steno models download tiny`") == true)
            let offline = await error { try await WhisperKit(WhisperKitConfig(model: "large-v3", download: false)) }
            #expect(offline?.localizedDescription.contains("does not allow downloads") == true)
            _ = await error { try await WhisperKit() }
            _ = await error { try await WhisperKit(WhisperKitConfig(modelFolder: "/no/such/model")) }
        }
        // It is downloaded if that is allowed.
        let names = Recorder<String>()
        let supply = ModelSupply<ModelFinder.Progress>(locator: locator) { name, _ in
            names.add(name)
            return Fixtures.nano
        }
        try await ModelFinder.$current.withValue(ModelFinder(supply)) {
            _ = try await WhisperKit(model: "openai_whisper-tiny")
            _ = await error { try await WhisperKit(WhisperKitConfig(model: "small", download: false)) }
            #expect(names.all == ["tiny"])
        }
    }
}
