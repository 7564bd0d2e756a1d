import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

struct MoonshineStateTests {
    /// Encoded audio of a second, and what is decoded without a draft.
    private func decoded(
        _ precision: Precision = .float32, threads: Int = 1
    ) throws -> (state: MoonshineState, plain: MoonshineDecoding) {
        let loaded = try LoadedMoonshine("whole-36", precision: precision, threads: threads)
        let state = loaded.model.makeState()
        _ = try state.encode(loaded.random.clips[2].samples)
        return (state, try state.decode(limit: 40))
    }

    /// A draft changes how often the decoder runs, but no bit of the result, whether it is right, wrong or too long.
    @Test(arguments: [Precision.float32, .int8]) func draftsDoNotChangeTheText(precision: Precision) throws {
        let (state, plain) = try decoded(precision)
        let text = plain.tokens.map(\.id)
        #expect(text.count == 40)
        for correct in [0, 1, 5, 15, 16, 17, 39, 40] {
            let draft = text.prefix(correct) + [3, 3, 3, 2, 4]
            var other = try state.decode(draft: Array(draft), limit: 40)
            // Among the wrong tokens one can be right by chance.
            #expect((min(correct, 39)...min(correct + 3, 39)).contains(other.acceptedDraft))
            other.acceptedDraft = 0
            #expect(other == plain)
        }
        // Tokens that the model does not have end the draft.
        #expect(try state.decode(draft: text.prefix(4) + [97, -1], limit: 40).acceptedDraft == 4)
    }

    @Test func aPrefixContinuesTheText() throws {
        let (state, plain) = try decoded()
        let text = plain.tokens.map(\.id)
        for count in [1, 7] {
            let rest = try state.decode(
                prefix: Array(text.prefix(count)), draft: Array(text.dropFirst(count)), limit: 40 - count)
            #expect(rest.tokens == Array(plain.tokens.dropFirst(count)))
        }
        // A token beyond the context can be chosen after its last token, but not be read.
        let longest = Array(repeating: 5, count: 63)
        #expect(try state.decode(prefix: longest, limit: 10).tokens.count == 1)
        #expect(throws: StenoError.self) { _ = try state.decode(prefix: longest + [5], limit: 10) }
        #expect(throws: StenoError.self) { _ = try state.decode(prefix: [97], limit: 10) }
        #expect(try state.decode(limit: 0) == MoonshineDecoding())
        #expect(try state.decode(limit: 1000).tokens.count <= 64)
    }

    /// A state that has decoded longer audio decodes shorter audio as a new one does, with any number of threads.
    @Test(arguments: [Precision.float32, .int8]) func statesAreReused(precision: Precision) throws {
        let loaded = try LoadedMoonshine("whole-52", precision: precision)
        let pooled = try LoadedMoonshine("whole-52", precision: precision, threads: 3)
        let (used, parallel) = (loaded.model.makeState(), pooled.model.makeState())
        for count in [16001, 895, 4000, 120_000, 2500] {
            let samples = RandomMoonshine.samples(count)
            let new = loaded.model.makeState()
            let decodings = try [new, used, parallel].map { state in
                #expect(try state.encode(samples) == MoonshineModel.positions(samples: count))
                return try state.decode(limit: 6)
            }
            #expect(decodings[1] == decodings[0] && decodings[2] == decodings[0])
        }
    }

    @Test func weightsAreOfEveryStep() throws {
        let (state, plain) = try decoded()
        #expect(state.crossAttention == nil)
        let text = plain.tokens.map(\.id)
        _ = try state.decode(limit: 12, recordsAttention: true)
        let weights = try #require(state.crossAttention)
        #expect(weights.rows == 12 && weights.positions == 40 && weights.layers == 2 && weights.heads == 2)
        for row in 0..<12 {
            #expect(abs(weights.row(row, layer: 1, head: 1).reduce(0, +) - 1) < 1e-5)
            #expect(abs(weights.mean(row).reduce(0, +) - 1) < 1e-5)
        }
        // The rows of a wrong draft are replaced by the right ones, and those of a prefix are there too.
        _ = try state.decode(
            prefix: Array(text.prefix(3)), draft: text[3..<6] + [3, 4, 3], limit: 9, recordsAttention: true)
        let others = try #require(state.crossAttention)
        #expect(others.rows == 12)
        for row in 0..<12 { #expect(others.mean(row) == weights.mean(row)) }
    }

    /// The row of the end of text is there as well.
    @Test func weightsOfTheEnd() throws {
        let loaded = try LoadedMoonshine("whole-36")
        let state = loaded.model.makeState()
        _ = try state.encode(loaded.random.clips[1].samples)
        let decoding = try state.decode(draft: [86], limit: 12, recordsAttention: true)
        #expect(decoding.tokens.map(\.id) == [86] && decoding.endLogProbability != nil)
        #expect(state.crossAttention?.rows == 2)
    }

    @Test func cancellation() throws {
        let loaded = try LoadedMoonshine("whole-36")
        let state = loaded.model.makeState()
        let samples = RandomMoonshine.samples(16000)
        let questions = Questions(yesFrom: 3)
        state.isCancelled = questions.ask
        expectError { try state.encode(samples) }
        #expect(questions.count == 3)
        state.isCancelled = { false }
        _ = try state.encode(samples)
        state.isCancelled = Questions(yesFrom: 5).ask
        expectError(.cancelled) { try state.decode(limit: 40) }
    }

    @Test func lengths() throws {
        #expect(MoonshineModel.fewestSamples == 895)
        #expect(MoonshineModel.samplesPerPosition == 384)
        let positions = [0, 126, 127, 894, 895, 1278, 1279, 16000].map(MoonshineModel.positions)
        #expect(positions == [0, 0, 0, 0, 1, 1, 2, 40])
        for count in 1...50 {
            let most = AudioFrontEnd.Lengths(positions: count)
            let actual = AudioFrontEnd.Lengths(samples: 895 + 384 * count - 1)
            #expect(actual.positions == count && actual.first <= most.first && actual.second <= most.second)
        }
        let loaded = try LoadedMoonshine("whole-24")
        let state = loaded.model.makeState()
        #expect(throws: StenoError.self) { _ = try state.encode(RandomMoonshine.samples(894)) }
        #expect(throws: StenoError.self) { _ = try state.encode([]) }
    }
}
