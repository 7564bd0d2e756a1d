import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Monitoring does not change the audio, and happens once.
@Suite struct SpeechMonitorTests {
    private let samples: [Float] = {
        var random = SplitMix64(seed: 3)
        return random.uniform(count: 5000, centre: 0, span: 0.5)
    }()
    /// Ten windows, the last of them padded.
    private let probabilities: [Float] = (1...10).map { Float($0) / 10 }

    private func read(_ source: any SampleSource, piece: Int, atMost limit: Int = .max) throws -> [Float] {
        var all: [Float] = []
        while all.count < limit {
            var buffer = [Float](repeating: 9, count: piece)
            let count = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
            if count == 0 { break }
            all += buffer[..<count]
        }
        return all
    }

    @Test(arguments: [1, 7, 511, 512, 513, 4999, 8000]) func theAudioIsPassedOnInPiecesOfAnySize(piece: Int) throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(ArraySampleSource(samples))
        #expect(try read(audio, piece: piece) == samples)
        #expect(monitor.probabilities == probabilities)
    }

    @Test func audioIsProcessedOnce() throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(ArraySampleSource(samples))
        #expect(try audio.rewind())
        _ = try read(audio, piece: 600, atMost: 1800)
        #expect(monitor.probabilities.count == 3)
        #expect(try audio.rewind())
        #expect(try read(audio, piece: 700) == samples)
        #expect(monitor.probabilities == probabilities)
        #expect(try audio.rewind())
        #expect(try read(audio, piece: 999) == samples)
        #expect(monitor.probabilities == probabilities)
    }

    @Test func aPipeIsMonitoredAsItArrives() throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(TestSources.Pipe(samples))
        #expect(try !audio.rewind())
        #expect(try read(audio, piece: 400) == samples)
        #expect(monitor.probabilities == probabilities)
    }

    /// A window's probabilities must not depend on how far a pipe has been read.
    @Test func profilesHaveOnlyTheirOwnWindows() throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(ArraySampleSource(samples))
        _ = try read(audio, piece: 512, atMost: 2048)
        let early = monitor.profile(of: 1000..<2047)
        #expect(early.probabilities == Array(probabilities[1..<3]))
        #expect(early.start == VoiceActivity.windowSeconds && early.step == VoiceActivity.windowSeconds)
        _ = try read(audio, piece: 512)
        #expect(monitor.profile(of: 1000..<2047) == early)
        #expect(monitor.profile(of: -3000..<600).probabilities == Array(probabilities[..<1]))
        #expect(monitor.profile(of: 9000..<9999).probabilities == [])
    }
}

/// The windows of a passage, and the second decoding of one whose first is suspect.
@Suite struct WindowGuardTests {
    private let tokenizer: Tokenizer
    private let sentence = "The captain ordered everyone to stay away from the railing."
    private let window = 0..<3000

    init() throws { tokenizer = try TokenizerGoldens.multilingual() }

    /// Guards whose monitor has heard speech in these ranges of a minute.
    private func guards(_ speech: [Range<Double>], prompts: [String] = []) throws -> Guards {
        let profile = SpeechProfile(speech: speech, until: 60)
        let monitor = SpeechMonitor(detector: ScriptedDetector(profile.probabilities))
        let audio = monitor.tap(ArraySampleSource([Float](repeating: 0, count: 60 * 16000)))
        var buffer = [Float](repeating: 0, count: 60 * 16000)
        _ = try buffer.withUnsafeMutableBufferPointer { try audio.read(into: $0) }
        return Guards(WindowGuard(GuardOptions(), monitor, tokenizer: tokenizer, prompts: prompts))
    }

    private func step(_ words: [Word]..., next: Int = 3000) -> WindowSegments {
        let begin = tokenizer.specialTokens.timestampBegin
        let segments = words.map { words in
            let text = words.map(\.rawText).joined()
            return Segment(
                id: 0, start: words.first?.start ?? 0, end: words.last?.end ?? 0, text: text, words: words,
                whisper: WhisperSegmentDetails(
                    seek: 0, tokens: [begin] + tokenizer.encode(text) + [begin + 100], temperature: 0,
                    averageLogProbability: 0, compressionRatio: 1,
                    noSpeechProbability: 0))
        }
        return WindowSegments(segments: segments, next: next, lastSpeech: words.last?.last?.end)
    }

    @Test func goodTextIsUnchanged() throws {
        let guards = try guards([0..<5])
        let good = step(spoken(sentence))
        let result = try #require(guards.filter(good, of: window, hasContext: true))
        #expect(result.segments == good.segments)
        #expect(!result.endsContext && guards.takeRemovals().isEmpty)
    }

    /// Usually there is no speech behind text in silence, and nothing to decode again.
    @Test func textInSilenceIsRemovedWithoutASecondDecoding() throws {
        let guards = try guards([0..<5])
        let bad = step(spoken(sentence), spoken("You know.", from: 20))
        let result = try #require(guards.filter(bad, of: window, hasContext: true))
        #expect(result.segments == [bad.segments[0]])
        #expect(result.lastSpeech == bad.segments[0].end)
        #expect(!result.endsContext)
        let removals = guards.takeRemovals()
        #expect(removals.map(\.action.text) == [" You know."])
        #expect(removals.map(\.words) == [bad.segments[1].words])
        #expect(guards.takeRemovals().isEmpty)
    }

    /// Guards never turn other text into context.
    @Test func resetContextStaysReset() throws {
        let guards = try guards([0..<5])
        var bad = step(spoken(sentence), spoken("You know.", from: 20))
        bad.endsContext = true
        #expect(try #require(guards.filter(bad, of: window, hasContext: false)).endsContext)
    }

    @Test func speechBehindAHallucinationIsDecodedAgain() throws {
        let guards = try guards([0..<5, 20..<24])
        let first = step(spoken(sentence), spoken(sentence, from: 10))
        let second = step(spoken(sentence), spoken("Can you see the top of the mountain?", from: 20))
        #expect(guards.filter(first, of: window, hasContext: true) == nil)
        #expect(guards.needsSecondDecoding)
        let result = try #require(guards.filter(second, of: window, hasContext: true))
        #expect(!guards.needsSecondDecoding)
        #expect(result.segments == second.segments)
        #expect(result.endsContext)
        #expect(guards.takeRemovals().map(\.action.kind) == [.promptRepetition])
    }

    /// Decoding a window without context again would give the same text.
    @Test func withoutContextThereIsNoSecondDecoding() throws {
        let guards = try guards([0..<5, 20..<24])
        let first = step(spoken(sentence), spoken(sentence, from: 10))
        let result = try #require(guards.filter(first, of: window, hasContext: false))
        #expect(result.segments == [first.segments[0]])
    }

    @Test func textConfirmedWithoutThePromptIsKept() throws {
        let guards = try guards([0..<9], prompts: [sentence])
        let first = step(spoken(sentence + " That is the rule."))
        #expect(guards.filter(first, of: window, hasContext: true) == nil)
        let result = guards.filter(step(spoken(sentence + " That's the rule.")), of: window, hasContext: true)
        #expect(result?.segments == first.segments)
        #expect(guards.takeRemovals().isEmpty)
    }

    @Test func textMissingFromTheSecondDecodingIsRemoved() throws {
        let guards = try guards([0..<9], prompts: [sentence])
        let second = step(spoken("We can see the top of the mountain from here and the sea.", from: 0.2))
        #expect(guards.filter(step(spoken(sentence)), of: window, hasContext: true) == nil)
        #expect(guards.filter(second, of: window, hasContext: true)?.segments == second.segments)
        #expect(guards.takeRemovals().map(\.action.reason) == ["a repetition of the prompt"])
    }

    /// A second decoding that leaves more speech without words is worse than the first.
    @Test func aWorseSecondDecodingIsRejected() throws {
        let guards = try guards([0..<9], prompts: [sentence])
        let first = step(spoken(sentence + " That is the rule, and there are many more of them."))
        #expect(guards.filter(first, of: window, hasContext: true) == nil)
        #expect(guards.filter(step(), of: window, hasContext: true)?.segments == first.segments)
    }

    /// The sentence was said once; its repetition over other speech is still a repetition.
    @Test func aSentenceSaidElsewhereIsStillARepetitionHere() throws {
        let guards = try guards([0..<5, 10..<16])
        let first = step(spoken(sentence), spoken(sentence, from: 10))
        let second = step(spoken(sentence), spoken("We can see the top of the mountain from here.", from: 10.5))
        #expect(guards.filter(first, of: window, hasContext: true) == nil)
        #expect(guards.filter(second, of: window, hasContext: true)?.segments == second.segments)
        #expect(guards.takeRemovals().map(\.action.start) == [10])
    }

    @Test func aSegmentThatLosesWordsIsRebuilt() throws {
        let guards = try guards([0..<1])
        let words = spoken("That is all.") + spoken("Thank you.", from: 6)
        let result = try #require(guards.filter(step(words), of: window, hasContext: false))
        let segment = try #require(result.segments.first)
        #expect(segment.text == " That is all.")
        #expect(segment.words == Array(words[..<3]))
        #expect(segment.start == words[0].start && segment.end == words[2].end)
        let begin = tokenizer.specialTokens.timestampBegin
        #expect(segment.tokens == [begin] + tokenizer.encode(" That is all.") + [begin + 100])
        // Only kept text becomes context.
        #expect(tokenizer.decode(result.segments.flatMap(\.tokens)) == " That is all.")
    }

    /// The same clip three times is not a loop; the same text three times in a row is.
    @Test func repeatedClipsAreNotRepetitions() throws {
        for (starts, repeated) in [([0, 0, 0], 0), ([0, 300, 600], 2)] {
            let guards = try guards([0..<9])
            for start in starts {
                let text = step(spoken("No, you do not have to.", from: Double(start) / 100))
                _ = guards.filter(text, of: start..<start + 300, hasContext: false)
            }
            #expect(guards.takeRemovals().count(where: { $0.action.kind == .repetition }) == min(repeated, 1))
        }
    }
}

/// A mutable wrapper, so that expectations can change the guards.
private final class Guards {
    private var guards: WindowGuard

    init(_ guards: WindowGuard) { self.guards = guards }

    var needsSecondDecoding: Bool { guards.needsSecondDecoding }

    func filter(_ step: WindowSegments, of window: Range<Int>, hasContext: Bool) -> WindowSegments? {
        guards.filter(step, of: window, hasContext: hasContext)
    }

    func takeRemovals() -> [GuardRemoval] { guards.takeRemovals() }
}
