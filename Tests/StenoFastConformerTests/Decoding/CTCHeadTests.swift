import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoFastConformer

struct CTCHeadTests {
    /// The definition: the most likely class of each frame, without blanks and repetitions.
    private static func collapsed(_ logits: [[Float]], blank: Int) -> [FastConformerToken] {
        var tokens: [FastConformerToken] = [], previous = blank
        for (frame, row) in logits.enumerated() {
            let best = row.indices.max { row[$0] < row[$1] } ?? blank
            if best != blank, best == previous {
                tokens[tokens.count - 1].frames += 1
            } else if best != blank {
                let total = log(row.reduce(0) { $0 + exp(Double($1)) })
                tokens.append(
                    FastConformerToken(
                        id: best, frame: frame, frames: 1, logProbability: row[best] - Float(total)))
            }
            previous = best
        }
        return tokens
    }

    @Test(arguments: ["ctc", "ctc-wide"]) func equalsTransformers(name: String) throws {
        let tested = try GoldenModel(name)
        let golden = try #require(tested.golden.logits)
        let classes = golden.logits.shape[1], values = Array(tested.goldens.values(golden.logits))
        let logits = stride(from: 0, to: values.count, by: classes).map { Array(values[$0..<$0 + classes]) }
        let expected = Self.collapsed(logits, blank: classes - 1)
        let tokens = try tested.model.makeState().decode(features: tested.mel(golden.frames))
        #expect(expected.count > 5)
        #expect(tokens.plain == expected.plain)
        #expect(largestDistance(tokens.map(\.logProbability), expected.map(\.logProbability)) < 5e-5)
    }

    /// Equal classes in a row are one token, and a blank between them makes them two.
    @Test func aBlankSeparatesEqualTokens() throws {
        let tested = try GoldenModel("ctc")
        let head = try #require(tested.model.ctc)
        let (width, blank) = (tested.model.configuration.width, tested.model.configuration.blank)
        let weights = tested.golden.values(of: "ctc_head.weight")
        let classes = [3, 3, blank, 3, blank, blank, 7]
        // A frame like the weights of a class is of that class.
        var frames = classes.flatMap { label in weights[label * width..<(label + 1) * width].map { 100 * $0 } }
        let tokens = try frames.withUnsafeMutableBufferPointer { frames in
            try head.decode(
                Rows(try #require(frames.baseAddress), stride: width), count: classes.count,
                in: ComputeContext(pool: tested.model.pool), checkCancellation: {})
        }
        #expect(tokens.plain == [[3, 0, 2], [3, 3, 1], [7, 6, 1]])
    }

    @Test func tooLittleAudioHasNoTokens() throws {
        #expect(try GoldenModel("ctc").model.makeState().transcribe([Float](repeating: 0, count: 159)).isEmpty)
    }
}
