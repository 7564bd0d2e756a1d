import StenoCore
import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import StenoWhisper

/// Texts that end early in a window that holds all that remains of the span.
struct WindowRestTests {
    let model: WhisperModel
    let lane: WindowLane
    private let begin: Int

    init() throws {
        model = try SmallModel.load()
        lane = try WindowLane(model, hypotheses: 1, isCancelled: { false })
        begin = model.tokenizer.specialTokens.timestampBegin
    }

    private func passage(
        clip: Range<Int> = 1000..<1180, continuesWindows: Bool = true,
        _ change: (inout TranscriptionOptions) -> Void = { _ in }
    ) throws -> Passage {
        let options = TranscriptionTests.options {
            $0.whisper.maxNewTokens = nil
            change(&$0)
        }
        return try Passage(
            TranscriptionPlan(model, options), language: "en", WindowCursor([clip], windowFrames: 200),
            continuesWindows: continuesWindows)
    }

    /// Adds a text of the window at frame 1000.
    private func add(_ tokens: [Int], _ passage: Passage, frames: Range<Int> = 1000..<1180) throws -> Bool {
        let quality = TextQuality(averageLogProbability: -0.1, compressionRatio: 1, noSpeechProbability: 0)
        return try passage.add(
            WindowText(tokens: tokens, temperature: 0, quality: quality),
            of: Passage.Window(frames: frames, content: nil, lane: lane))
    }

    /// A first segment up to 1.00 s, and the start of a second.
    private var broken: [Int] { [begin, 65, begin + 50, begin + 50] }

    @Test func theRestIsDecodedInTheSameWindow() throws {
        let passage = try passage()
        #expect(try !add(broken, passage))
        #expect(passage.prompt(at: 1000).tokens.suffix(4) == broken)
        #expect(passage.prompt(at: 1000).forcedCount == 4)
        #expect(try add([begin + 50, 66, begin + 80], passage))
        #expect(passage.cursor.seek == 1180)
        #expect(passage.known.isEmpty)
        let segments = passage.takeSegments()
        #expect(segments.map(\.start) == [10, 11])
        #expect(segments.map(\.end) == [11, 11.6])
        #expect(segments.map(\.seek) == [1000, 1000])
        #expect(passage.prompt(at: 1180).forcedCount == 0)
    }

    @Test func theRestIsDecodedOnlyOnce() throws {
        let passage = try passage()
        #expect(try !add(broken, passage))
        #expect(try add([begin + 50, 66, begin + 60, begin + 60], passage))
        #expect(passage.cursor.seek == 1120)
    }

    @Test func aRestTooShortForSpeechIsSkipped() throws {
        let passage = try passage()
        #expect(try add([begin, 65, begin + 86, begin + 86], passage))
        #expect(passage.cursor.seek == 1180)
    }

    @Test func earlierTextStaysAndNewTextComesOnce() throws {
        let passage = try passage(clip: 1000..<1380) { $0.whisper.conditionOnPreviousText = true }
        // This window does not reach the end of the span.
        #expect(try add(broken, passage, frames: 1000..<1200))
        passage.cursor.move(to: 1200)
        #expect(try !add([begin, 67, begin + 50, begin + 50], passage, frames: 1200..<1380))
        let special = model.tokenizer.specialTokens
        let prompt = passage.prompt(at: 1200).tokens
        #expect(prompt.prefix(4) == [special.startOfPrevious] + broken.prefix(3))
        #expect(prompt.filter { $0 == 67 }.count == 1)
    }

    @Test func theRestIsDecodedOnlyForIndependentTextOnRequest() throws {
        let passages = [
            try passage(continuesWindows: false), try passage(clip: 1000..<1190),
            try passage { $0.whisper.maxNewTokens = 10 },
        ]
        for passage in passages {
            #expect(try add(broken, passage))
            #expect(passage.cursor.seek == 1100)
        }
    }

    /// Tokens known from before are not part of the rest, nor of its quality.
    @Test func attemptsOmitKnownTokens() throws {
        let passage = try passage()
        #expect(try !add(broken, passage))
        var attempts = WindowAttempts(
            model, passage.prompt(at: 1000), rules: passage.plan.rules, options: passage.whisper, seek: 1000,
            known: passage.known.count)
        let tokens = broken + [66, begin + 80]
        let found = Hypothesis(tokens: tokens, tokenLogProbabilities: tokens.map { _ in -1 }, logProbability: -8)
        let accepted = attempts.accept(found, noSpeechProbability: 0)
        let result = try #require(accepted)
        #expect(result.tokens == [begin + 50, 66, begin + 80])
        #expect(result.quality.averageLogProbability == -2)
    }

    @Test func textDoesNotDependOnTheBatch() throws {
        let silence = [Float](repeating: 0, count: 24_000)
        var audio: [Float] = silence
        for index in 0..<8 {
            audio += TestAudio.noise(seed: UInt64(index), count: 5000 * (index + 1), gain: 0.5)
            audio += silence
        }
        var voice = VoiceActivityOptions.batched
        (voice.detector, voice.speechPadSeconds) = (.energy, 0.05)
        let run = BatchRun(
            model: model,
            options: TranscriptionTests.options {
                ($0.whisper.voiceActivity, $0.whisper.maxNewTokens) = (voice, nil)
                ($0.whisper.temperatures, $0.whisper.beamSize, $0.whisper.logProbabilityThreshold) = (
                    [0, 0.6], 2, -4.4
                )
            })
        let few = try #require(try run.together([audio], batchSize: 2).transcripts[0]?.get())
        #expect(!few.segments.isEmpty)
        for batchSize in [3, 8] {
            #expect(try run.together([audio], batchSize: batchSize).transcripts[0]?.get() == few)
        }
    }
}
