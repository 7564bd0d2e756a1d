import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoice
@testable import StenoWhisper

struct InvalidOptionTests {
    struct Case: Sendable {
        var word: String
        var code = StenoError.Code.invalidOption
        var change: @Sendable (inout WhisperOptions) -> Void
    }

    static let cases: [Case] = [
        Case(word: "beam size") { $0.beamSize = 0 }, Case(word: "beam size") { $0.beamSize = 65 },
        Case(word: "best of") { $0.bestOf = 0 }, Case(word: "best of") { $0.bestOf = .max },
        Case(word: "patience") { $0.patience = 0 }, Case(word: "patience") { $0.patience = -1 },
        Case(word: "patience") { $0.patience = .nan }, Case(word: "patience") { $0.patience = .infinity },
        Case(word: "length penalty") { $0.lengthPenalty = .nan },
        Case(word: "repetition penalty") { $0.repetitionPenalty = 0 },
        Case(word: "repetition penalty") { $0.repetitionPenalty = .infinity },
        Case(word: "repetition penalty") { $0.repetitionPenalty = 1e-300 },
        Case(word: "n-gram") { $0.noRepeatNGramSize = -1 },
        Case(word: "temperature") { $0.temperatures = [] }, Case(word: "temperature") { $0.temperatures = [0, -0.1] },
        Case(word: "temperature") { $0.temperatures = [.nan] }, Case(word: "temperature") { $0.temperatures = [1e40] },
        Case(word: "temperature") { $0.temperatures = [.infinity] },
        Case(word: "first timestamp") { $0.maxInitialTimestamp = -1 },
        Case(word: "first timestamp") { $0.maxInitialTimestamp = 31 },
        Case(word: "first timestamp") { $0.maxInitialTimestamp = .nan },
        Case(word: "new tokens") { $0.maxNewTokens = 0 },
        Case(word: "reserved for the text") { $0.maxNewTokens = .max },
        Case(word: "token -2") { $0.suppressTokens = [-2] },
        Case(word: "token 1000000") { $0.suppressTokens = [-1, 1_000_000] },
        Case(word: "audio context") { $0.audioContext = .positions(99) },
        Case(word: "audio context") { $0.audioContext = .positions(101) },
        Case(word: "audio context") { $0.audioContext = .positions(.min) },
        Case(word: "hallucination") { $0.hallucinationSilenceThreshold = 2 },
        Case(word: "clip") { $0.clips = [-1..<2] }, Case(word: "clip") { $0.clips = [.infinity..<(.infinity)] },
        Case(word: "give only one") { ($0.clips, $0.voiceActivity) = ([0..<1], VoiceActivityOptions()) },
        Case(word: "chunk length") { $0.chunkLength = 0.5 }, Case(word: "chunk length") { $0.chunkLength = 2.1 },
        Case(word: "chunk length") { $0.chunkLength = .nan },
        Case(word: "1 window") { $0.languageDetectionSegments = 0 },
        Case(word: "detection threshold") { $0.languageDetectionThreshold = 1.5 },
        Case(word: "initial prompt's tokens") { $0.initialPromptTokens = [5, 1_000_000] },
        Case(word: "initial prompt's tokens") { $0.initialPromptTokens = [-1] },
        Case(word: "xx", code: .unknownLanguage) { $0.language = "xx" },
        Case(word: "Japanese", code: .unknownLanguage) { $0.language = "Japanese" },
    ]

    /// The message names the problem, and nothing is read before it is found.
    @Test func eachHasItsMessage() throws {
        let model = try SmallModel.with { try WhisperModel.load(folder: $0, precision: .int8, threads: 1) }
        for it in Self.cases {
            var options = WhisperOptions(language: "en")
            it.change(&options)
            let error = #expect(throws: StenoError.self, "\(it.word)") {
                try model.transcribe(ArraySampleSource([Float](repeating: 0.1, count: 8000)), options: options)
            }
            #expect(error?.code == it.code, "\(it.word)")
            #expect(error?.message.contains(it.word) == true, "\(error?.message ?? "")")
        }
    }

    /// Unusual, but valid.
    @Test func extremesThatAreAllowed() throws {
        let model = try SmallModel.with { try WhisperModel.load(folder: $0, precision: .int8, threads: 1) }
        let changes: [(inout WhisperOptions) -> Void] = [
            { ($0.beamSize, $0.patience) = (64, 1e300) }, { $0.patience = 1e-300 }, { $0.lengthPenalty = -1e6 },
            { $0.lengthPenalty = 1e6 }, { $0.repetitionPenalty = 1000 }, { $0.repetitionPenalty = 0.001 },
            { $0.noRepeatNGramSize = .max }, { ($0.temperatures, $0.bestOf) = ([1e-300, 100], 64) },
            { $0.temperatures = [Double](repeating: 0.5, count: 300) }, { $0.maxInitialTimestamp = 30 },
            { ($0.suppressTokens, $0.suppressBlank) = ([], false) }, { $0.audioContext = .positions(100) },
            { $0.audioContext = .automatic }, { ($0.initialPrompt, $0.hotwords) = ("", " ") },
            { $0.suppressTokens = Array(0..<model.shape.vocabularySize) }, { $0.wordTimestamps = true },
            { ($0.wordTimestamps, $0.hallucinationSilenceThreshold) = (true, 0) },
            { $0.clips = [1e300..<(.infinity), 0..<0, 2.5..<1e300] }, { $0.chunkLength = 1 }, { $0.chunkLength = 2 },
            { ($0.language, $0.languageDetectionSegments, $0.languageDetectionThreshold) = (nil, .max, 1) },
            { ($0.language, $0.clips) = (nil, [1e300..<(.infinity)]) }, { ($0.prefix, $0.hotwords) = ("", "") },
            { $0.initialPromptTokens = [] },
        ]
        for change in changes {
            var options = WhisperOptions(language: "en")
            options.maxNewTokens = 8
            change(&options)
            let audio = TestAudio.noise(seed: 1, count: 40_000, gain: 0.3)
            let transcript = try model.transcribe(ArraySampleSource(audio), options: options)
            #expect(transcript.duration == 2.5)
            #expect(model.languages.contains(transcript.language))
            #expect(transcript.segments.map(\.id) == Array(transcript.segments.indices))
            for segment in transcript.segments {
                #expect(segment.start <= segment.end && segment.end <= 4)
                #expect(segment.tokens.allSatisfy { (0..<model.shape.vocabularySize).contains($0) })
                #expect(segment.averageLogProbability <= 0 && segment.averageLogProbability.isFinite)
            }
        }
    }
}
