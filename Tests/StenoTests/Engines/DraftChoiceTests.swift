import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Which draft model a session gets.
struct DraftChoiceTests {
    private let model = SecondFamilyModel()
    private let nowhere = ModelLocator(bundled: [], environment: [:], home: URL(fileURLWithPath: "/nowhere"))

    private func choice(_ draft: String, _ options: LiveOptions = LiveOptions(language: "en")) -> DraftChoice {
        DraftChoice(
            for: model, options: options.with { $0.draftModel = draft }, pace: .realTime, locator: nowhere)
    }

    @Test func noneAndAMissingModelAreDifferent() async throws {
        #expect(try await choice("none").load() == nil)
        #expect(try await choice("auto").load() == nil, "nobody asked for a model that is not there")
        await expectAsyncError(.modelNotFound) { _ = try await choice("tiny").load() }
        expectError(.invalidOption) { try LiveOptions().with { $0.draftModel = " " }.validate() }
    }

    /// A clock that a decoding moves.
    private final class Decoder: UtteranceDecoding {
        var isCancelled: () -> Bool = { false }
        let searchesAlike = false
        var time = 0.0
        private(set) var heard: [[Float]] = []
        private let costs: [Double]

        init(costs: [Double]) { self.costs = costs }

        func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
            for _ in 0..<10 {
                time += costs[heard.count] / 10
                if isCancelled() { throw StenoError(.cancelled, "Cancelled.") }
            }
            heard.append(samples)
            return UtteranceHypothesis(words: [], language: LanguageDetection(language: "en", probability: 1))
        }
    }

    /// The first decoding may take longer; a slow one is interrupted, so the measurement ends soon.
    @Test func theSecondDecodingDecidesWhetherAModelIsQuick() throws {
        func isQuick(_ costs: Double...) throws -> (Bool, seconds: Double) {
            let decoder = Decoder(costs: costs)
            let found = try DecodingSpeed(decoder, language: "en").isAtMost(0.1, { false }, now: { decoder.time })
            // It holds the clock, and so the decoder.
            decoder.isCancelled = { false }
            #expect(Set(decoder.heard).count == decoder.heard.count, "a decoder may remember its last text")
            return (found, decoder.time)
        }
        #expect(try isQuick(0.3, 0.08).0)
        #expect(try !isQuick(0.3, 0.2).0)
        let slow = try isQuick(20)
        #expect(!slow.0 && slow.seconds < 3)
        #expect(throws: StenoError.self) {
            _ = try DecodingSpeed(Decoder(costs: [1]), language: nil).isAtMost(0.1, { true }, now: { 0 })
        }
    }

    /// A named draft has to know the language, and shows no half translations.
    @Test func aNamedDraftHasToFit() async throws {
        let bundled = try #require(LocatedModel.allBundled.first { $0.name == "moonshine-tiny" })
        let locator = ModelLocator(bundled: [bundled], environment: [:], home: URL(fileURLWithPath: "/nowhere"))
        func load(_ options: LiveOptions) async throws -> (any SpeechModel)? {
            try await DraftChoice(
                for: model, options: options.with { $0.draftModel = "moonshine-tiny" }, pace: .fast, locator: locator
            ).load()
        }
        let draft = try #require(try await load(LiveOptions(language: "English")))
        #expect(draft.information.family == "Moonshine" && draft.information.threads == 1)
        await expectAsyncError(.invalidOption) { _ = try await load(LiveOptions(language: "de")) }
        await expectAsyncError(.invalidOption) { _ = try await load(LiveOptions(language: "en", task: .translate)) }
    }

    /// A model that shows words at once takes no draft.
    @Test func aStreamingModelTakesNoDraft() async throws {
        let engine = try ModelEngine(model: SecondFamilyModel(hearing: .streaming), draft: model, pace: .fast)
        await expectAsyncError(.invalidOption) { try await engine.start() }
    }

    /// The words of two real decoders reach the events of an engine.
    @Test func anEngineTakesADraft() async throws {
        let options = LiveOptions(language: "en", guards: nil).with { $0.detector = .energy }
        let samples = ScriptedTalk.monologue(12, seed: 3, after: 0.5, before: 1).samples
        func events(_ draft: SecondFamilyModel?) async throws -> [TranscriptionEvent] {
            try await ModelEngine(model: model, draft: draft, options: options, pace: .fast).events(hearing: samples)
        }
        let alone = try await events(nil)
        #expect(!alone.transcript.finals.isEmpty)
        for hearing in SecondFamilyModel.Hearing.allCases {
            let both = try await events(SecondFamilyModel(words: ["five"], hearing: hearing))
            #expect(both.transcript.finals == alone.transcript.finals)
        }
    }
}
