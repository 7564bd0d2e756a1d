import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

/// The family's protocol, on a model with random weights.
struct MoonshineSpeechModelTests {
    private let folder = TemporaryFolder.ofSuite()

    private static let generations = ["whole-36", "streaming-16"]

    private func model(
        _ name: String = "moonshine-tiny", random: String = "whole-36"
    ) throws -> MoonshineSpeechModel {
        let folder = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try RandomMoonshine(random).write(to: folder)
        return try MoonshineSpeechModel.load(
            folder.appendingPathComponent("model.safetensors"), precision: .float32, threads: 1)
    }

    @Test(arguments: generations) func information(random: String) throws {
        let information = try model(random: random).information
        #expect(information.family == "Moonshine" && information.languages == ["en"])
        #expect(information.tasks == [.transcribe] && information.options == [.wordTimestamps, .clips])
        #expect(information.precision == .float32 && information.threads == 1 && information.parameterCount > 0)
        #expect(try model("moonshine-base-uk").information.languages == ["uk"])
    }

    @Test(arguments: [nil, "en", "EN", "en-US", "english"]) func itsLanguageIsAccepted(language: String?) throws {
        let model = try model()
        try model.check(TranscriptionOptions(language: language))
        #expect(try model.detection(of: language).language == "en")
    }

    @Test func whatItLacksIsRefused() throws {
        let model = try model()
        expectError(.unknownLanguage, says: "only English (en)", "“de”", "Whisper") {
            try model.check(TranscriptionOptions(language: "de"))
        }
        for (part, change) in [
            ("cannot translate", { $0.task = .translate }), ("vocabulary", { $0.vocabulary = ["Zwettl"] }),
            ("prompt", { $0.prompt = "Hello." }), ("batch size", { $0.batchSize = 0 }),
            ("clip", { $0.clips = [-1..<2] }),
        ] as [(String, (inout TranscriptionOptions) -> Void)] {
            expectError(.invalidOption, says: part) { try model.check(TranscriptionOptions().with(change)) }
        }
        expectError(.invalidOption, says: "beam size") {
            try model.makeLiveDecoder(LiveDecoderOptions(beamSize: 3))
        }
        #expect(throws: Never.self) {
            try model.check(TranscriptionOptions(wordTimestamps: true).with { ($0.clips, $0.batchSize) = ([0..<1], 8) })
        }
    }

    @Test func theLanguageIsCertain() throws {
        let model = try model("moonshine-tiny-ja")
        let found = try model.detectLanguage(ArraySampleSource([]), TranscriptionOptions(), isCancelled: { false })
        #expect(found == LanguageDetection(language: "ja", probability: 1))
    }

    /// One that cannot be opened does not end the others.
    @Test func recordingsAreTranscribedInTurn() throws {
        let model = try model()
        var ends: [Int: Result<Transcript, any Error>] = [:]
        let openers: [SpeechModel.AudioOpener] = [
            { ArraySampleSource([Float](repeating: 0, count: 16_000)) },
            { throw StenoError(.audioNotFound, "There is none.") },
            { ArraySampleSource([]) },
        ]
        let options = TranscriptionOptions()
        try model.transcribe(ArrayFeed(openers, options), lanes: 1, options, isCancelled: { false }) {
            if let result = $1.result { ends[$0] = result.transcript }
        }
        #expect(try ends[0]?.get().warnings?.map(\.code) == [.noSpeech])
        #expect(throws: StenoError.self) { _ = try ends[1]?.get() }
        #expect(try ends[2]?.get().warnings?.map(\.code) == [.audioEmpty])
    }

    /// Real speech, so that the bundled voice activity detection finds it; the text of random weights means nothing.
    @Test(arguments: generations) func speechIsDecoded(random: String) throws {
        let model = try model(random: random)
        let speech = try TestAudio.speech()
        let options = TranscriptionOptions(wordTimestamps: true)
        let transcript = try model.transcribe(ArraySampleSource(speech), options: options)
        #expect(transcript.language == "en" && transcript.duration == 11)
        #expect((9...11).contains(transcript.durationAfterVoiceActivity ?? 0))
        #expect(transcript.segments.allSatisfy { $0.words?.isEmpty == false && $0.end <= 11 })
        #expect(try model.transcribe(ArraySampleSource(speech), options: options) == transcript)
    }

    @Test func cancellationIsNotAResult() throws {
        let model = try model()
        let speech = try TestAudio.speech()
        for question in [1, 4, 60] {
            expectError(.cancelled) {
                let options = TranscriptionOptions()
                try model.transcribe(
                    ArrayFeed([{ ArraySampleSource(speech) }], options), lanes: 1, options,
                    isCancelled: Questions(yesFrom: question).ask,
                    onEvent: { #expect($1.result == nil, "it has not ended") })
            }
        }
    }

    @Test(arguments: generations) func liveDecodersAreRepeated(random: String) throws {
        let model = try model(random: random)
        guard case .repeated(let decoder) = try model.makeLiveDecoder(LiveDecoderOptions()).model else {
            Issue.record("Moonshine hears an utterance as a whole")
            return
        }
        let speech = Array(try TestAudio.speech().prefix(40_000))
        let first = try decoder.decode(speech, UtteranceRequest())
        let request = UtteranceRequest(draft: first.words.map { TextPiece($0.text, handle: $0.handle) })
        #expect(try decoder.decode(speech, request) == first)
        #expect(try decoder.decode(Array(speech.prefix(500)), UtteranceRequest()).isSilence)
    }
}

struct CheckpointLanguageTests {
    private let folder = TemporaryFolder.ofSuite()

    private func language(in name: String = "model", config: String = "{}", card: String? = nil) throws -> String {
        try folder.write(config, to: name + "/config.json")
        if let card { try folder.write(card, to: name + "/README.md") }
        return try CheckpointLanguage(folder: folder.url.appendingPathComponent(name)).code
    }

    @Test func withoutAnyHintItIsEnglish() throws {
        #expect(try language() == "en")
        #expect(try CheckpointLanguage(folder: folder.url.appendingPathComponent("nowhere")).code == "en")
    }

    @Test(arguments: [
        ("moonshine-tiny", "en"), ("moonshine-tiny-ja", "ja"), ("Moonshine-Base-ES", "es"), ("moonshine-base-zh", "zh"),
        ("models--UsefulSensors--moonshine-tiny-uk/snapshots/0123abcd", "uk"), ("my-model-ja", "en"),
        ("moonshine-ja", "en"), ("moonshine-tiny-int", "en"),
    ])
    func theFolderNamesIt(name: String, code: String) throws { #expect(try language(in: name) == code) }

    @Test func theConfigurationNamesItsOrigin() throws {
        #expect(try language(config: #"{"_name_or_path": "UsefulSensors/moonshine-tiny-ko"}"#) == "ko")
        // The nearer name first.
        #expect(try language(in: "moonshine-tiny-vi", config: #"{"_name_or_path": "./checkpoints"}"#) == "vi")
    }

    @Test(arguments: [
        "---\nlicense: other\nlanguage:\n- ar\nlibrary_name: transformers\n---\n# A model",
        "---\nlanguage: ar\n---\n", "---\r\nlanguage:\r\n  - ar\r\n  - en\r\n---\r\n", "---\nlanguage: [ar, en]\n---\n",
    ])
    func theCardNamesIt(card: String) throws { #expect(try language(in: "moonshine-tiny-ja", card: card) == "ar") }

    @Test(arguments: ["language: ar", "---\nlicense: mit\n---\nlanguage: ar\n", "---\nlanguage: qqq\n---\n", ""])
    func otherTextsAreNoCards(card: String) throws { #expect(try language(card: card) == "en") }

    @Test func theConfigurationHasTheLastWord() throws {
        let card = "---\nlanguage: ar\n---\n"
        #expect(try language(in: "moonshine-tiny-ja", config: #"{"language": "Ukrainian"}"#, card: card) == "uk")
        expectError(.modelUnsupported, says: "Klingon", "config.json") {
            try language(config: #"{"language": "Klingon"}"#)
        }
        expectError(.modelDamaged) { try language(config: "{") }
        // Other scripts may have more tokens.
        #expect(CheckpointLanguage(code: "en").tokensPerSecond == 6.5)
        #expect(CheckpointLanguage(code: "ja").tokensPerSecond == 13)
    }
}
