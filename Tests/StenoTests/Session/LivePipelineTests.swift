import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno
@testable import StenoCore

/// Gaps in the audio, requests, and what a pipeline keeps in memory.
struct LivePipelineTests {
    /// A pipeline over a talk, with its events and the finished requests.
    private final class Run {
        var events: [TranscriptionEvent] = []
        var finalized: [Int] = []
        private(set) var mostKept = 0
        let talk: ScriptedTalk
        private var pipeline: LivePipeline?

        init(_ talk: ScriptedTalk, cost: Double = 0.1, mostKept: Double = AudioStream.bufferLimit) {
            self.talk = talk
            pipeline = LivePipeline(
                LiveOptions(language: "en"), detector: ScriptedEar(),
                queue: ImmediateQueue(ScriptedModel(talk), cost: { _, _ in cost }, now: { 0 }),
                mostKeptSamples: mostKept.samples,
                didFinalize: { [unowned self] in finalized.append($0) }
            ) { [unowned self] in events.append($0) }
        }

        func use(_ body: (LivePipeline) throws -> Void) throws { if let pipeline { try body(pipeline) } }
        func finish() throws { try pipeline?.finish() }

        /// Appends the whole talk to a pipeline that always accepts audio, and expects all of its words.
        func hearAll(by step: Int) throws {
            for start in stride(from: 0, to: talk.count, by: step) {
                try append(start..<min(talk.count, start + step))
                #expect(pipeline?.acceptsAudio == true)
            }
            try finish()
            #expect(words == talk.words.map(\.text))
        }

        func append(_ range: Range<Int>) throws {
            try use {
                for start in stride(from: range.lowerBound, to: range.upperBound, by: 1600) {
                    try $0.append(talk.samples(start..<min(range.upperBound, start + 1600)), at: start)
                    mostKept = max(mostKept, $0.keptSamples)
                }
            }
        }

        var finalWords: [Word] { events.transcript.finals.flatMap(\.words) }
        var words: [String] { finalWords.map(\.rawText) }
    }

    /// Speech, a pause of some length, and speech.
    private func talk(pause: Double, _ seed: UInt64) -> (talk: ScriptedTalk, gap: Range<Int>) {
        var random = SplitMix64(seed: seed)
        var talk = ScriptedTalk()
        talk.append(0, seconds: Double.random(in: 0...1, using: &random))
        talk.speak(6, using: &random)
        let start = talk.count + 100
        talk.append(0, seconds: pause)
        let end = talk.count - 16_000
        talk.speak(6, using: &random)
        talk.append(0, seconds: 0.4)
        return (talk, start..<max(start, end))
    }

    @Test func aFinalEventAnticipatesThePartialTextAfterIt() throws {
        let (talk, _) = talk(pause: 1, 5)
        let run = Run(talk)
        try run.append(0..<talk.count)
        try run.finish()
        let steps = zip(run.events, run.events.dropFirst())
            .filter { $0.kind == .final && $1.kind == .partial && $0.position == $1.position }
        #expect(steps.contains { !$1.text.isEmpty })
        #expect(steps.allSatisfy { $0.partialText == $1.text })
    }

    @Test(arguments: [1.5, 3, 4.1, 60, 86_400]) func aGapCountsAsSilence(pause: Double) throws {
        for seed in 0..<(isLong ? 10 : 3) as Range<UInt64> {
            let (talk, gap) = talk(pause: pause, seed)
            let run = Run(talk)
            try run.append(0..<gap.lowerBound)
            try run.append(gap.upperBound..<talk.count)
            try run.finish()
            #expect(run.words == talk.words.map(\.text), "seed \(seed)")
            for (word, spoken) in zip(run.finalWords, talk.words) {
                #expect(abs(word.start - spoken.start) < 0.01, "times are those of the source")
            }
            expectOrder(of: run.events)
            #expect(run.mostKept < 30 * 16_000, "a gap takes no memory")
            // A day of levels would be 864,000.
            #expect(run.events.count < 400)
            #expect(abs((run.events.last?.position ?? 0) - talk.seconds) < 0.05)
        }
    }

    /// A simulated machine that cannot keep up neither blocks the audio nor buffers all of it.
    @Test func aMachineThatIsFarTooSlowLosesNothing() throws {
        let talk = ScriptedTalk.monologue(200, seed: 4)
        let run = Run(talk, cost: 1000, mostKept: 20)
        try run.hearAll(by: 16_000)
        #expect(run.mostKept <= 60 * 16_000 && talk.seconds > 60)
    }

    /// A result that makes room may start the next decoding, whose result comes only with more audio.
    @Test func aMachineThatIsFarTooSlowNeverRefusesTheAudioOfItsResults() throws {
        let talk = ScriptedTalk.random(4, utterances: 20, longest: 4)
        try Run(talk, cost: 1000, mostKept: 5).hearAll(by: VoiceActivity.windowLength)
    }

    /// Decodes at once, but releases results only when a test says so, like a slow thread.
    private final class HeldQueue: DecodingQueue {
        let followsAudio = false
        var released = 0
        private let model: ScriptedModel
        private var outcome: Outcome?

        init(_ model: ScriptedModel) { self.model = model }

        func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int) {
            outcome = Outcome { try model.decode(samples, decoding) }
        }

        func result(at position: Int) -> Outcome? {
            guard released > 0, outcome != nil else { return nil }
            released -= 1
            return awaitResult()
        }

        func awaitResult() -> Outcome {
            defer { outcome = nil }
            return outcome ?? .failure(CancellationError())
        }
    }

    /// While too much audio waits, each result makes room and says how far behind the text is.
    @Test func aFullBufferTakesAudioAgainBeforeAllOfItIsDecoded() throws {
        let talk = ScriptedTalk.random(4, utterances: 20, longest: 4)
        let queue = HeldQueue(ScriptedModel(talk))
        let log = Recorder<TranscriptionEvent>()
        let pipeline = LivePipeline(
            LiveOptions(language: "en"), detector: ScriptedEar(), queue: queue, mostKeptSamples: 10.samples
        ) { log.add($0) }
        var position = 0
        func append() throws {
            let next = position + VoiceActivity.windowLength
            try pipeline.append(talk.samples(position..<next))
            position = next
        }
        while pipeline.acceptsAudio { try append() }
        let lags = log.all.compactMap(\.lag)
        #expect((lags.last ?? 0) > 5)
        while !pipeline.acceptsAudio {
            queue.released = 1
            try pipeline.poll()
        }
        #expect(pipeline.policy.decoding != nil, "there is room before everything is decoded")
        #expect(pipeline.keptSamples > 0 && log.all.compactMap(\.lag).count > lags.count)
        while position + VoiceActivity.windowLength <= talk.count {
            queue.released = 1
            try append()
        }
        try pipeline.finish()
        #expect(log.all.transcript.finals.flatMap(\.words).map(\.rawText) == talk.words.map(\.text))
    }

    /// The text before a gap becomes final at the end of the gap, not when somebody speaks again.
    @Test func theTextBeforeAGapIsFinalBeforeTheNextWord() throws {
        let (talk, gap) = talk(pause: 3600, 1)
        let run = Run(talk)
        try run.append(0..<gap.lowerBound)
        try run.append(gap.upperBound..<gap.upperBound + 1600)
        #expect(run.words.count == 6)
    }

    /// In silence (an hour of it with `STENO_LONG`) nothing is decoded, and only the current window is kept.
    @Test func silenceKeepsNothing() throws {
        let run = Run(ScriptedTalk([.silence(isLong ? 3600 : 30)]))
        try run.append(0..<run.talk.count)
        #expect(run.mostKept < 3 * 16_000)
        #expect(run.events.allSatisfy { $0.kind == .level })
    }

    @Test func requestsToFinalizeAreDoneOnceAndInOrder() throws {
        let talk = ScriptedTalk.monologue(60, seed: 9)
        let run = Run(talk)
        try run.use { pipeline in
            try pipeline.finalize(through: nil, id: 0)
            #expect(run.finalized == [0], "there is nothing to wait for")
            try pipeline.finalize(through: 100_000, id: 1)
            try pipeline.finalize(through: 10_000_000, id: 2)
        }
        try run.append(0..<90_000)
        #expect(run.finalized == [0])
        try run.append(90_000..<talk.count)
        #expect(run.finalized == [0, 1])
        try run.finish()
        #expect(run.finalized == [0, 1, 2])
        #expect(run.words == talk.words.map(\.text))
    }

    /// Speech before a request to clear gives no text after it; later speech does.
    @Test(arguments: seeds(20)) func clearingForgetsEarlierSpeech(seed: UInt64) throws {
        let talk = ScriptedTalk([.words(30), .silence(1.2), .silence(0.2), .words(10)], seed: seed)
        let cut = talk.words[29].end.samples + 1.2.samples
        let run = Run(talk)
        try run.append(0..<cut)
        try run.use { try $0.clear() }
        #expect(run.events.transcript.text.isEmpty)
        try run.append(cut..<talk.count)
        try run.finish()
        #expect(run.words == talk.words.dropFirst(30).map(\.text))
    }
}

/// The audio that is still needed, with gaps.
struct SampleBufferTests {
    @Test func aSpanIsReadAcrossForgottenSamples() {
        var buffer = SampleBuffer()
        for second in 0..<10 { buffer.append([Float](repeating: Float(second), count: 16_000)) }
        buffer.forget(before: 5 * 16_000 + 10)
        #expect(buffer.count == 5 * 16_000 - 10 && buffer.end == 160_000)
        #expect(Set(buffer[6 * 16_000..<7 * 16_000]) == [6])
        #expect(buffer[0..<100].isEmpty)
        #expect(buffer[159_990..<200_000].count == 10)
    }

    @Test func aGapTakesNoMemoryAndBothSidesStay() {
        var buffer = SampleBuffer()
        buffer.append([Float](repeating: 1, count: 32_000))
        buffer.jump(by: 1 << 50)
        buffer.append([Float](repeating: 2, count: 32_000))
        #expect(buffer.count == 64_000 && buffer.end == 32_000 + (1 << 50) + 32_000)
        #expect(buffer[16_000..<32_000].allSatisfy { $0 == 1 })
        #expect(buffer[buffer.end - 100..<buffer.end] == [Float](repeating: 2, count: 100))
        #expect(buffer.energy(buffer.end - 100..<buffer.end) == 4)
        buffer.forget(before: 32_000)
        #expect(buffer.count == 32_000)
    }
}
