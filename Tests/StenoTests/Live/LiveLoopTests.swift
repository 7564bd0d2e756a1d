import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno
@testable import StenoCore

/// A model gets stuck in a phrase while somebody speaks: little of the loop is shown or final, and all is reported.
struct LiveLoopTests {
    private func check(_ seed: UInt64, isGuarded: Bool) throws {
        let options = LiveOptions(language: "en").with { $0.guards = isGuarded ? GuardOptions() : nil }
        var random = SplitMix64(seed: seed)
        let (onset, period) = (Int.random(in: 0...8, using: &random), Int.random(in: 1...6, using: &random))
        var talk = ScriptedTalk()
        talk.append(0, seconds: 1)
        // One utterance, not so long that it must be cut.
        talk.speak(40, using: &random)
        talk.append(0, seconds: Double.random(in: 0...2, using: &random))
        // It understands the first words of the talk, and takes all others for a repeated phrase.
        let model = AlteredModel(talk) { hypothesis, _ in
            for index in hypothesis.words.indices {
                let number = hypothesis.words[index].handle[0]
                if number >= onset { hypothesis.words[index].text = " x\((number - onset) % period)" }
            }
        }
        let run = try LiveRun(talk, options, decoder: model, cost: Double.random(in: 0...0.3, using: &random))
        expectOrder(of: run.events)
        // How many words of the loop were on the screen at most, and were reported as hallucinated.
        var (screen, shown, told) = (LiveTranscript(), 0, 0)
        for event in run.events {
            screen.apply(event)
            shown = max(shown, screen.text.count { $0 == "x" })
            told += event.hallucination?.text.count { $0 == "x" } ?? 0
        }
        let words = run.finalWords.map(\.rawText)
        let final = words.count { $0.hasPrefix(" x") }
        #expect(words.count { $0.hasPrefix(" w") } == onset, "understood words are final")
        #expect(final + told == 40 - onset, "nothing vanishes without a report")
        // Fewer repetitions may be speech.
        let limit = max(3, (8 + period - 1) / period + 1) * period
        #expect(isGuarded ? final < limit && shown < limit + 2 : told == 0)
    }

    @Test(arguments: seeds(60)) func aLoopIsHeldBeforeItIsFinal(seed: UInt64) throws {
        try check(seed, isGuarded: true)
    }

    @Test(arguments: seeds(10)) func withoutGuardsItIsAllFinal(seed: UInt64) throws {
        try check(seed, isGuarded: false)
    }
}

/// The evidence that a word takes over from the decodings before.
struct PendingEvidenceTests {
    /// Words with their starts in seconds, 0.2 s long.
    private func words(_ timed: (String, Double)...) -> [LiveWord] {
        timed.map { LiveWord(UtteranceWord(text: $0, handle: [], start: $1, end: $1 + 0.2), origin: 0) }
    }

    private func counts(_ decodings: [LiveWord]...) -> [Int] {
        var pending: [PendingWord] = []
        for (index, words) in decodings.enumerated() { pending = pending.updated(with: words, heardTo: index) }
        return pending.map(\.count)
    }

    @Test func decodingsThatAgreeAddUp() {
        let text = words((" one", 0), (" two", 0.3))
        #expect(counts(text, text, text) == [3, 3])
        #expect(counts(text, words((" one", 0), (" too", 0.3)), text) == [3, 1], "only in a row")
        let marked = words((" One", 0.1), (",", 0.3), (" two", 0.4))
        #expect(counts(text, marked) == [2, 1, 2], "without marks and capitals")
        let preceded = words((" a", 0), (" one", 0.2), (" two", 0.4))
        #expect(counts(text, preceded) == [1, 2, 2], "whatever precedes it")
    }

    @Test func theSameTextAtAnotherTimeIsAnotherWord() {
        #expect(counts(words((" no", 0)), words((" no", 1))) == [1])
    }

    /// "No, no": that there is one "no" says nothing about the other.
    @Test func aWordIsEvidenceForOneWordOnly() {
        #expect(counts(words((" no", 0)), words((" no", 0), (" no", 0.3))) == [2, 1])
        let twice = words((" no", 0), (" no", 0.3))
        #expect(counts(twice, twice) == [2, 2])
    }
}

/// Where speech begins and ends, with probabilities between the two thresholds.
struct SpeechGateTests {
    private let options = LiveOptions()
    /// Neither the beginning of speech nor its end.
    private let between: Float = 0.4

    /// The windows of the endpoint's silence.
    private var endpoint: Int {
        (options.endpoint.samples + VoiceActivity.windowLength - 1) / VoiceActivity.windowLength
    }

    @Test func aDoubtfulWindowNeitherBeginsNorEndsSpeech() {
        #expect(between > Float(options.silenceThreshold) && between < Float(options.speechThreshold))
        var gate = SpeechGate(options)
        for _ in 0..<100 { #expect(gate.hear(between) == nil && !gate.isOpen) }
        #expect(gate.hear(0.9) == .begins)
        for _ in 0..<100 { #expect(gate.hear(between) == nil && gate.isOpen && gate.quiet == 0) }
    }

    @Test func speechEndsWhereTheSilenceBegan() {
        var gate = SpeechGate(options)
        for _ in 0..<10 { _ = gate.hear(0.9) }
        for window in 1..<endpoint { #expect(gate.hear(0.1) == nil, "window \(window) of silence") }
        #expect(gate.hear(0.1) == .ends(at: 10 * VoiceActivity.windowLength))
        #expect(!gate.isOpen)
    }

    /// A doubtful window within a silence is speech, so that the silence begins again.
    @Test func speechResumesWithADoubtfulWindow() {
        var gate = SpeechGate(options)
        _ = gate.hear(0.9)
        for _ in 1..<endpoint { _ = gate.hear(0.1) }
        #expect(gate.hear(between) == nil && gate.quiet == 0)
        #expect(gate.quietFrom == gate.position)
    }
}
