import StenoCompute
import StenoCore

/// Greedy decoding of a stream by a transducer, over any number of blocks of frames.
///
/// The most likely token at a frame is emitted and read by the prediction network. RNNT then stays at the frame and
/// moves on at a blank; TDT moves on by the most likely duration, which may be 0 after a token.
final class TransducerDecoding {
    private let head: TransducerHead
    private let context: ComputeContext
    private let state: TransducerState
    /// Projected frames of a block.
    private var projected: ScratchBuffer?
    /// The first product of the prompt network; nil for a model without prompts.
    private var promptInner: Linear?
    /// Whether a frame has at most as many tokens as the model's configuration says; transformers has no such limit for
    /// TDT.
    var limitsSymbols = true
    /// Phrases that are likelier; from the next stream on.
    var boost: PhraseBoost?

    private var frameCount = 0
    /// The next frame, in the whole stream: a duration may reach beyond the blocks so far.
    private var next = 0
    /// The tokens that were emitted at the next frame.
    private var symbols = 0
    /// The phrases that the last tokens began, and what is added to the logits of the next.
    private var progress: Set<PhraseBoost.Progress> = []
    private var bonuses: [Int: Float] = [:]

    init(_ head: TransducerHead, context: ComputeContext) throws {
        (self.head, self.context) = (head, context)
        state = try TransducerState(head, context: context)
    }

    /// - Parameter prompt: Only for a model that has prompts.
    func begin(prompt: Int) throws {
        promptInner = try head.prompt?.inner(prompt: prompt)
        (frameCount, next, symbols, progress) = (0, 0, 0, [])
        bonuses = boost?.bonuses(after: []) ?? [:]
        state.begin()
    }

    /// Decodes the next block of encoder frames; the tokens are final.
    func decode(_ frames: Rows, count: Int, checkCancellation: () throws -> Void) throws -> [FastConformerToken] {
        let joint = head.transducer.jointWidth
        let projected = Rows(try project(frames, count: count).pointer, stride: joint)
        var tokens: [FastConformerToken] = []
        let end = frameCount + count
        while next < end {
            try checkCancellation()
            let first = next, rows = min(TransducerState.blockFrames, end - first)
            let logits = state.logits(projected.from(first - frameCount), count: rows)
            // Until a token comes, the logits of later frames hold.
            while next < first + rows {
                let row = logits + (next - first) * state.logitCount
                guard let token = step(row) else { continue }
                tokens.append(token)
                state.read(token.id)
                if let boost {
                    progress = boost.progress(progress, after: token.id)
                    bonuses = boost.bonuses(after: progress)
                }
                break
            }
        }
        frameCount = end
        return tokens
    }

    /// Finds the tokens of a whole utterance, which has begun, by a beam search.
    func search(_ frames: Rows, count: Int, beamSize: Int, checkCancellation: () throws -> Void) throws
        -> [FastConformerToken]
    {
        let projected = Rows(try project(frames, count: count).pointer, stride: head.transducer.jointWidth)
        let search = TransducerBeamSearch(
            networks: BeamNetworks(state: state, frames: projected, classes: head.blank + 1), beamSize: beamSize,
            durations: head.transducer.durations, maximumSymbols: head.transducer.maximumSymbols, boost: boost)
        return try search.run(frames: count, checkCancellation: checkCancellation).tokens
    }

    /// Moves on by one step at the next frame, whose logits are given; returns the token if it is not blank.
    private func step(_ logits: UnsafePointer<Float>) -> FastConformerToken? {
        let classes = head.blank + 1, durations = head.transducer.durations
        let best = boosted(CTCHead.largest(of: logits, count: classes), logits)
        let duration =
            durations.isEmpty ? nil : durations[CTCHead.largest(of: logits + classes, count: durations.count)]
        guard best != head.blank else {
            move(by: max(duration ?? 1, 1))
            return nil
        }
        let token = FastConformerToken(
            id: best, frame: next, frames: duration ?? 1,
            logProbability: logits[best] - Reductions.logSumExp(logits, count: classes))
        symbols += 1
        if let duration, duration > 0 {
            move(by: duration)
        } else if symbols >= head.transducer.maximumSymbols, limitsSymbols || duration == nil {
            move(by: 1)
        }
        return token
    }

    /// The most likely token with the phrases' pull; a blank stays a blank.
    private func boosted(_ best: Int, _ logits: UnsafePointer<Float>) -> Int {
        guard best != head.blank, !bonuses.isEmpty else { return best }
        var chosen = best, score = logits[best] + (bonuses[best] ?? 0)
        for (id, bonus) in bonuses where id < head.blank {
            let other = logits[id] + bonus
            if other > score || other == score && id < chosen { (chosen, score) = (id, other) }
        }
        return chosen
    }

    private func move(by frames: Int) {
        next += frames
        symbols = 0
    }

    /// The frames with the prompt, projected to the joint network: [count, joint width].
    private func project(_ frames: Rows, count: Int) throws -> ScratchBuffer {
        let joint = head.transducer.jointWidth, width = frames.stride
        if projected?.count ?? 0 < count * joint { projected = try ScratchBuffer(count: count * joint) }
        guard let projected else { return try ScratchBuffer(count: count * joint) }
        try context.reserve(head.encoderProjection, rows: count)
        let output = Rows(projected.pointer, stride: joint)
        guard let prompt = head.prompt, let inner = promptInner else {
            head.encoderProjection.apply(frames, rows: count, into: output, in: context)
            return projected
        }
        let hidden = inner.matrix.outputs
        let wide = try ScratchBuffer(count: count * hidden), told = try ScratchBuffer(count: count * width)
        try context.reserve(inner, rows: count)
        try context.reserve(prompt.output, rows: count)
        inner.apply(frames, rows: count, into: Rows(wide.pointer, stride: hidden), activation: .relu, in: context)
        prompt.output.apply(
            Rows(wide.pointer, stride: hidden), rows: count, into: Rows(told.pointer, stride: width), in: context)
        head.encoderProjection.apply(Rows(told.pointer, stride: width), rows: count, into: output, in: context)
        return projected
    }
}

/// A transducer's networks and the projected frames of an utterance, for a beam search.
private struct BeamNetworks: TransducerNetworks {
    let state: TransducerState
    let frames: Rows
    /// The tokens and blank.
    let classes: Int

    func start() -> TransducerState.Memory {
        state.begin()
        return state.memory
    }

    func read(_ token: Int, after memory: TransducerState.Memory) -> TransducerState.Memory {
        state.memory = memory
        state.read(token)
        return state.memory
    }

    func scores(frame: Int, of states: [TransducerState.Memory]) -> [(tokens: [Float], durations: [Float])] {
        let block = TransducerState.blockFrames
        return stride(from: 0, to: states.count, by: block).flatMap { start in
            let some = states[start..<min(start + block, states.count)]
            let logits = state.logits(frames.from(frame).pointer, after: some)
            return some.indices.map { index in
                let row = logits + (index - start) * state.logitCount
                return (logProbabilities(row, classes), logProbabilities(row + classes, state.logitCount - classes))
            }
        }
    }

    private func logProbabilities(_ logits: UnsafePointer<Float>, _ count: Int) -> [Float] {
        var values = Array(UnsafeBufferPointer(start: logits, count: count))
        if count > 0 { Reductions.logSoftmax(&values, count: count) }
        return values
    }
}
