import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

struct LiveEdgeTests {
    @Test(arguments: [(0, 0), (1, 0), (320, 0), (511, 0), (512, 0), (513, 0), (80_000, 0), (960_000, 0.02)])
    func onlySilenceOrNoise(samples: Int, value: Double) throws {
        var talk = ScriptedTalk()
        talk.append(Float(value), seconds: samples.seconds)
        let model = ScriptedModel(talk)
        #expect(try LiveRun(talk, model: model).transcript.segments.isEmpty)
        #expect(model.decodings.isEmpty, "silence costs nothing")
    }

    /// Speech that never pauses is trimmed at final words, so that no decoding gets long and none of it is lost.
    @Test func aMinuteWithoutAPause() throws {
        let talk = ScriptedTalk.monologue(160, seed: 2)
        let model = ScriptedModel(talk)
        let options = LiveOptions(language: "en")
        let run = try LiveRun(talk, options, model: model)
        #expect(run.finalText == talk.text)
        let longest = model.decodings.map { $0.span.count.seconds }.max() ?? 0
        #expect(longest < options.trimAfter + 2)
    }

    /// In scripts that take many tokens, the decoder's text fills up while the audio is still short: nothing is lost.
    @Test(arguments: isLong ? Array(20...30) : [20, 25, 30]) func aTextOfManyTokens(words: Int) throws {
        let talk = ScriptedTalk.monologue(words, seed: 5, before: 1)
        // Twelve for a word, in the room of Whisper's 224.
        let model = AlteredModel(talk, invents: true) { hypothesis, _ in
            hypothesis.words = hypothesis.words.prefix(224 / 12).map {
                UtteranceWord(
                    text: $0.text, handle: Array(repeating: $0.handle[0], count: 12), start: $0.start, end: $0.end)
            }
            hypothesis.isLong = hypothesis.words.count * 12 > 112
        }
        #expect(try LiveRun(talk, decoder: model).finalText == talk.text)
    }

    /// Trimming leaves the audio that the next words need as context.
    @Test func trimmingKeepsContextForLaterWords() throws {
        var driver = PolicyDriver(ScriptedTalk.monologue(90, seed: 6)) { 0.05 }
        try driver.finish()
        let starts = driver.decodings.map(\.decoding.span.lowerBound)
        let trimmed = driver.decodings.map(\.decoding).filter { $0.span.lowerBound > (starts.first ?? 0) }
        #expect(Set(starts).count > 2 && trimmed.allSatisfy { $0.span.count >= 5.0.samples })
    }

    /// When decodings never agree there is nothing to trim at: the audio is cut instead, and continues.
    @Test func decodingsThatNeverAgree() throws {
        let talk = ScriptedTalk.monologue(120, seed: 3)
        var decodings: [LiveDecoding] = []
        let model = AlteredModel(talk) { hypothesis, decoding in
            decodings.append(decoding)
            let number = decodings.count
            hypothesis.words = [UtteranceWord(text: " v\(number)", handle: [number], start: 0, end: 0.5)]
        }
        _ = try LiveRun(talk, decoder: model, cost: 0) { talk.count }
        let longest = decodings.map(\.span.count).max() ?? 0
        #expect(longest.seconds <= LiveOptions().longestUtterance + 0.1)
        let last = decodings.filter(\.isLast).map(\.span)
        #expect(
            zip(last, last.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }, "no audio between cuts is lost")
    }

    /// Two minutes, and three hours with `STENO_LONG=1`: nothing is lost or doubled, nothing grows but the text.
    @Test func hours() throws {
        let length = isLong ? 3 * 3600.0 : 120
        var random = SplitMix64(seed: 4)
        var talk = ScriptedTalk()
        while talk.seconds < length {
            talk.append(0, seconds: Double.random(in: 0.6...3, using: &random))
            talk.speak(Int.random(in: 1...30, using: &random), using: &random)
        }
        let run = try LiveRun(talk, cost: 0.3)
        #expect(run.finalText == talk.text)
        #expect(run.mostSamplesKept < 30 * 16_000)
        #expect(run.largestLag < 3)
    }

    /// An engine that is three times too slow and may skip audio reports what it skipped, and the rest is right.
    @Test func sheddingIsReported() throws {
        let talk = ScriptedTalk.random(11, utterances: 40, longest: 30)
        let options = LiveOptions(language: "en").with { $0.sheddingLag = 20 }
        // Each decoding takes three times as long as the audio of most utterances.
        let run = try LiveRun(talk, options, cost: 15)
        let shed = run.events.compactMap { $0.skipReason == .overload ? $0.skipped : nil }
        #expect(!shed.isEmpty)
        let kept = talk.words.filter { word in !shed.contains { $0.contains((word.start + word.end) / 2) } }
        #expect(run.finalWords.map(\.rawText) == kept.map(\.text))
        #expect(run.events.contains { $0.lag ?? 0 > 2 })
    }

    /// The same engine without shedding: all of the text comes, late, and then the session keeps up again.
    @Test func withoutSheddingItRecovers() throws {
        var talk = ScriptedTalk.random(12, utterances: 12, longest: 12)
        talk.append(0, seconds: 120)
        let run = try LiveRun(talk, cost: 5)
        #expect(run.finalText == talk.text)
        let lags = run.events.compactMap(\.lag)
        #expect(lags.max() ?? 0 > 10 && lags.last == 0)
        #expect(zip(lags, lags.dropFirst()).allSatisfy { abs($0 - $1) >= 0.5 || $1 == 0 })
    }
}

/// Hallucinations are removed and reported, and are not used as context.
struct LiveGuardTests {
    @Test(arguments: [true, false]) func aLoopIsRemovedAndReported(isGuarded: Bool) throws {
        let options = LiveOptions(language: "en").with { $0.guards = isGuarded ? GuardOptions() : nil }
        let talk = ScriptedTalk.monologue(6, seed: 5, before: 1)
        // "No" forty times in two seconds, whatever the audio.
        let loop = (0..<40).map {
            UtteranceWord(text: " no", handle: [7], start: Double($0) * 0.05, end: Double($0 + 1) * 0.05)
        }
        let model = AlteredModel(talk) { $0.words = $1.isLast ? loop : [] }
        let run = try LiveRun(talk, options, decoder: model)
        let told = run.events.compactMap { $0.hallucination }
        #expect(told.map(\.kind) == (isGuarded ? [.repetition] : []))
        #expect(run.finalWords.count == (isGuarded ? 1 : 40))
    }
}
