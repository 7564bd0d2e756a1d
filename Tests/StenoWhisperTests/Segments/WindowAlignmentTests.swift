import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// Words found in an encoded window, on a random model of two decoder layers with two heads each.
struct WindowAlignmentTests {
    private static let shape: RandomModel.Shape = {
        var shape = SmallModel.shape
        (shape.width, shape.heads, shape.decoderLayers) = (128, 2, 2)
        return shape
    }()

    private static let weights = Result { try ModelBinary(RandomModel(shape)).serialized().bytes }

    private func model(alignmentHeads: [[Int]]? = nil) throws -> WhisperModel {
        try SmallModel.withFolder { folder in
            try Self.weights.get().write(to: folder.appendingPathComponent("model.bin"))
            var config: [String: Any] = ["suppress_ids": [Int](), "suppress_ids_begin": [Int]()]
            config["alignment_heads"] = alignmentHeads
            try SmallModel.writeTexts(to: folder, config: config)
            return try WhisperModel.load(folder: folder, precision: .float32, threads: 1)
        }
    }

    private func lane(_ model: WhisperModel, isCancelled: @escaping () -> Bool = { false }) throws -> WindowLane {
        let lane = try WindowLane(model, hypotheses: 1, isCancelled: isCancelled)
        var random = SplitMix64(seed: 3)
        let mel = random.uniform(count: 200 * 80, centre: 0, span: 1)
        lane.frames.update(from: mel, count: mel.count)
        try lane.encode(positions: 100)
        return lane
    }

    private func align(_ text: [Int], _ lane: WindowLane, frames: Int = 200) throws -> [UtteranceWord] {
        let sequence = try lane.model.tokenizer.sotSequence(language: "en", task: .transcribe, withoutTimestamps: false)
        return try lane.align(text, sequence: sequence, frames: frames, language: "en")
    }

    @Test func wordsAreTheTextInOrder() throws {
        let model = try model()
        let lane = try lane(model)
        let text = model.tokenizer.encode(" the quick brown fox, jumps over it")
        for frames in [200, 120, 7] {
            let words = try align(text, lane, frames: frames)
            #expect(words.map(\.text).joined() == " the quick brown fox, jumps over it")
            #expect(words.flatMap(\.handle) == text)
            #expect(words.map(\.text).contains(" quick"))
            for (word, next) in zip(words, words.dropFirst()) {
                #expect(word.start <= word.end && word.end == next.start)
            }
            let first = try #require(words.first), last = try #require(words.last)
            #expect(first.start == 0 && last.end <= Double(frames / 2 - 1) / 50)
            #expect(words.allSatisfy { (0...1).contains($0.probability) })
        }
    }

    @Test func nothingToAlign() throws {
        let lane = try lane(model())
        #expect(try align([], lane).isEmpty)
        #expect(try align(lane.model.tokenizer.encode(" a"), lane, frames: 1).isEmpty)
        #expect(try align(lane.model.tokenizer.encode(" a"), lane, frames: 2).count == 1)
    }

    /// A word's probability is the mean of its tokens', each given those before it, among the tokens of text.
    @Test func probabilities() throws {
        let model = try model()
        let lane = try lane(model)
        let text = model.tokenizer.encode(" ab cdefg h")
        let special = model.tokenizer.specialTokens
        let sequence = try model.tokenizer.sotSequence(language: "en", task: .transcribe, withoutTimestamps: false)
        let words = try align(text, lane)
        var position = 0
        for word in words {
            // Greedy search from a prompt that ends before the token: the lane's logits say how probable it is.
            let expected = try word.handle.map { token -> Double in
                defer { position += 1 }
                let logits = try lane.logits(
                    after: sequence + [special.noTimestamps] + text.prefix(position), count: special.endOfText)
                let largest = logits.max() ?? 0
                let total = logits.reduce(0) { $0 + exp($1 - largest) }
                return exp(logits[token] - largest) / total
            }
            #expect(abs(word.probability - expected.reduce(0, +) / Double(expected.count)) < 1e-5)
        }
        #expect(position == text.count && Set(words.map(\.probability)).count == words.count)
    }

    /// The file's heads count if the model has them; else all of the decoder's upper half.
    @Test func headsThatAlign() throws {
        func heads(_ pairs: [[Int]]?) throws -> Set<AlignmentHead> {
            let heads = try model(alignmentHeads: pairs).alignmentHeads
            #expect(Set(heads).count == heads.count)
            return Set(heads)
        }
        let upper: Set = [AlignmentHead(layer: 1, head: 0), AlignmentHead(layer: 1, head: 1)]
        #expect(try heads(nil) == upper)
        #expect(try heads([]) == upper)
        #expect(try heads([[2, 0], [0, 2], [-1, 0]]) == upper)
        #expect(try heads([[0, 1], [7, 7]]) == [AlignmentHead(layer: 0, head: 1)])
        let text = try model().tokenizer.encode(" the quick brown fox jumps over it")
        let times = try [[[0, 0]], [[0, 1]], [[1, 0]], [[1, 1]]].map {
            try align(text, lane(model(alignmentHeads: $0))).map(\.start)
        }
        #expect(Set(times).count == 4)
    }

    @Test func aligningCanBeCancelled() throws {
        var isCancelled = false
        let lane = try lane(model()) { isCancelled }
        let text = lane.model.tokenizer.encode(" ab cd")
        let words = try align(text, lane)
        isCancelled = true
        expectError(.cancelled) { try align(text, lane) }
        isCancelled = false
        #expect(try align(text, lane) == words)
    }
}

extension WindowLane {
    /// The first `count` logits after a prompt, seen by a rule-free search's first pass.
    fileprivate func logits(after prompt: [Int], count: Int) throws -> [Double] {
        let state = try DecoderState(
            shape: model.shape, decoder: model.decoder, precision: model.precision, hypotheses: 1,
            context: ComputeContext(pool: model.pool))
        let logits = model.logits(of: prompt, in: memory, rows: prompt.count - 1..<prompt.count, state: state)
        return logits[0].prefix(count).map(Double.init)
    }
}
