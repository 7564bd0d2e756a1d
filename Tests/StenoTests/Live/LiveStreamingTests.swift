import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoVoiceActivity

/// Live text of a model that hears every sample once and decides itself what is final.
///
/// That no word is lost, doubled or changed, whatever the chunks, the requests and the cost, is tested together with
/// repeated decodings (``LivePropertyTests``, ``LiveRequestTests``).
struct LiveStreamingTests {
    /// A word is shown, and final as soon as the model says so, without a pause, agreement or endpoint.
    @Test func wordsAreFinalWhenTheModelSaysSo() throws {
        let talk = ScriptedTalk.monologue(60, seed: 3)
        var driver = PolicyDriver(talk, hearing: .streaming, cost: { 0 })
        try driver.play(to: talk.count)
        let waits = driver.finals.map { ($0.position - $0.word.end).seconds }
        #expect(driver.finals.count > 50)
        // The look-ahead, a step, and the window in which a step ends.
        #expect(waits.allSatisfy { $0 >= ScriptedStream.lookAhead && $0 < ScriptedStream.lookAhead + 0.24 + 0.04 })
        let shown = driver.actions.contains {
            if case .show(let words, _) = $0.action { words.contains { $0.text.hasPrefix(" x") } } else { false }
        }
        #expect(shown, "a half word is partial text")
        #expect(!driver.text.contains("x"))
    }

    /// The model hears audio once, so minutes of speech without a pause take no memory.
    @Test func speechWithoutAPauseTakesNoMemory() throws {
        let talk = ScriptedTalk.monologue(600, seed: 4)
        let run = try LiveRun(talk, hearing: .streaming, cost: 0.05)
        #expect(talk.seconds > 180 && run.mostSamplesKept < 2.samples)
        #expect(run.finalWords.map(\.rawText).joined() == talk.text)
        #expect(run.events.count { $0.kind == .utteranceEnd } == 1, "nothing is cut")
    }

    /// Finalising includes the words that the model still kept back.
    @Test func finalizingIncludesWordsKeptBack() throws {
        let talk = ScriptedTalk.monologue(12, seed: 5)
        var driver = PolicyDriver(talk, hearing: .streaming, cost: { 0 })
        let middle = try #require(talk.words.dropFirst(6).first).end.samples
        try driver.play(to: middle)
        let (before, position) = (driver.finals.count, driver.position)
        try driver.perform { $0.finalize(through: position) }
        while driver.finalized.isEmpty, driver.position + 512 <= talk.count {
            try driver.play(to: driver.position + 512)
        }
        #expect(before < 7 && driver.finalized.map(\.words) == [7])
        try driver.finishWithWholeText()
    }

    /// Options for decisions that a streaming model makes itself are refused.
    @Test func optionsOfRepeatedDecodingsAreRefused() throws {
        let model = SecondFamilyModel(hearing: .streaming)
        #expect(throws: Never.self) { try LiveOptions().refuseRepetition(for: "Scripted") }
        let changes: [(inout LiveOptions) -> Void] = [
            { $0.balance = .accurate }, { $0.step = 0.5 }, { $0.pause = 0.4 }, { $0.showAfter = 1 },
            { $0.trimAfter = 9 },
        ]
        for change in changes {
            expectError(.invalidOption) { try LiveOptions().with(change).refuseRepetition(for: "Scripted") }
        }
        expectError(.invalidOption) { try model.makeLiveDecoder(LiveDecoderOptions(beamSize: 2)) }
    }

    /// An adapter's options for repeated decodings do not reach a streaming model.
    @Test func onlyTheCallersChangesAreRefused() async throws {
        let model = SecondFamilyModel(hearing: .streaming)
        let late = LiveOptions(balance: .accurate)
        let engine = try ModelEngine(model: model, repeated: late, pace: .fast)
        try await engine.start()
        try await engine.finish()
        let refused = try ModelEngine(model: model, options: late, pace: .fast)
        await expectAsyncError(.invalidOption) { try await refused.start() }
    }
}
