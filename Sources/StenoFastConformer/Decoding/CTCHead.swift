import StenoCompute
import StenoCore

/// Decodes encoder frames by connectionist temporal classification.
///
/// After Graves et al. 2006: each frame's most likely class is taken; frames in a row with the same token are one token, and blank separates
/// equal tokens. A beam search finds the most likely tokens instead of the most likely classes.
struct CTCHead: Sendable {
    /// Frames whose logits exist at a time.
    private static let blockFrames = 64

    private let output: Linear
    private let blank: Int

    init(_ loader: WeightLoader, _ configuration: FastConformerConfiguration) throws {
        blank = configuration.blank
        output = try loader.affine("ctc_head", shape: [blank + 1, configuration.width, 1])
    }

    func decode(_ frames: Rows, count: Int, in context: ComputeContext, checkCancellation: () throws -> Void) throws
        -> [FastConformerToken]
    {
        var tokens: [FastConformerToken] = []
        var previous = blank
        try forEachFrame(frames, count: count, in: context, checkCancellation) { frame, values in
            let best = Self.largest(of: values, count: blank + 1)
            if best == previous, best != blank {
                tokens[tokens.count - 1].frames += 1
            } else if best != blank {
                let probability = values[best] - Reductions.logSumExp(values, count: blank + 1)
                tokens.append(FastConformerToken(id: best, frame: frame, frames: 1, logProbability: probability))
            }
            previous = best
        }
        return tokens
    }

    func search(
        _ frames: Rows, count: Int, _ search: CTCBeamSearch, in context: ComputeContext,
        checkCancellation: () throws -> Void
    ) throws -> [FastConformerToken] {
        var search = search
        try forEachFrame(frames, count: count, in: context, checkCancellation) { _, values in
            Reductions.logSoftmax(values, count: blank + 1)
            search.append(Array(UnsafeBufferPointer(start: values, count: blank + 1)))
        }
        return search.result.tokens
    }

    private func forEachFrame(
        _ frames: Rows, count: Int, in context: ComputeContext, _ checkCancellation: () throws -> Void,
        _ body: (Int, UnsafeMutablePointer<Float>) -> Void
    ) throws {
        let classes = blank + 1, block = min(Self.blockFrames, max(count, 1))
        let logits = try ScratchBuffer(count: block * classes)
        try context.reserve(output, rows: block)
        for start in stride(from: 0, to: count, by: block) {
            try checkCancellation()
            let rows = min(block, count - start)
            output.apply(frames.from(start), rows: rows, into: Rows(logits.pointer, stride: classes), in: context)
            for row in 0..<rows { body(start + row, logits.pointer + row * classes) }
        }
    }

    /// The index of the largest value; the lowest among equals.
    static func largest(of values: UnsafePointer<Float>, count: Int) -> Int {
        var index: Int32 = 0
        Reductions.top(1, of: values, count: count, into: &index)
        return Int(index)
    }

    /// The indices of the `k` largest values, of which there are at least as many.
    static func largest(_ k: Int, of values: UnsafePointer<Float>, count: Int) -> [Int] {
        var indices = [Int32](repeating: 0, count: k)
        Reductions.top(k, of: values, count: count, into: &indices)
        return indices.map { Int($0) }
    }
}
