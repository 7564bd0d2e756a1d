import StenoCompute
import StenoCore

/// The working memory of a CAM++ voice encoder; one thread uses it at a time.
package final class CAMPlusState {
    /// Frames around the first convolution over time.
    private static let padding = 2

    /// The most rows of the filter bank that an embedding can use.
    package let frames: Int
    private let model: CAMPlusModel
    private let context: ComputeContext
    private let front: CAMPlusFront
    private let dense: DenseRunner
    /// [frames + 2, bands + 2], with zeros all around.
    private let features: ScratchBuffer
    /// [2 + frames + 2, channels of the front].
    private let spectrum: ScratchBuffer
    /// The mean and the standard deviation of each channel.
    private let statistics: ScratchBuffer
    private let values: ScratchBuffer

    init(_ model: CAMPlusModel, frames: Int, pool: WorkerPool) throws {
        precondition(frames > 0, "an embedding has a frame")
        (self.model, self.frames) = (model, frames)
        let shape = model.shape
        context = ComputeContext(pool: pool)
        front = try CAMPlusFront(model.front, shape, frames: frames, in: context)
        dense = try DenseRunner(model.blocks, shape, frames: (frames + 1) / 2, in: context)
        features = try ScratchBuffer(zeros: (frames + 2) * (shape.bands + 2))
        spectrum = try ScratchBuffer(zeros: (frames + 2 * Self.padding) * shape.frontBands * shape.channels)
        statistics = try ScratchBuffer(zeros: 3 * shape.lastWidth)
        values = try ScratchBuffer(zeros: shape.values)
        try context.reserve(model.first, rows: (frames + 1) / 2)
        try context.reserve(model.output, rows: 1)
    }

    /// The voice in rows of the filter bank, of length 1; nil if there are none.
    ///
    /// - Parameters:
    ///   - rows: [frames, 80]; if more than ``frames`` are picked, only the first of them are used.
    ///   - picked: Which rows to use, as if they followed each other; nil uses all.
    package func embedding(of rows: UnsafeBufferPointer<Float>, picking picked: [Bool]? = nil) -> SpeakerEmbedding? {
        values(of: rows, picking: picked).map { SpeakerEmbedding($0).normalized }
    }

    /// The embedding of any length, as the network computes it.
    func values(of rows: UnsafeBufferPointer<Float>, picking picked: [Bool]?) -> [Float]? {
        let count = setFeatures(rows, picked)
        guard count > 0 else { return nil }
        compute(frames: count)
        return Array(UnsafeBufferPointer(start: values.pointer, count: model.shape.values))
    }

    /// Copies the picked rows, subtracts their mean, and returns their number.
    private func setFeatures(_ rows: UnsafeBufferPointer<Float>, _ picked: [Bool]?) -> Int {
        let bands = model.shape.bands, stride = bands + 2
        precondition(rows.count.isMultiple(of: bands), "rows are whole")
        precondition(picked.map { $0.count == rows.count / bands } ?? true, "there is a flag for each row")
        guard let from = rows.baseAddress else { return 0 }
        let own = features.pointer + stride + 1
        var count = 0
        for row in 0..<rows.count / bands where count < frames && (picked?[row] ?? true) {
            (own + count * stride).update(from: from + row * bands, count: bands)
            count += 1
        }
        // A shorter voice than the last one's leaves its frames behind.
        (own + count * stride).update(repeating: 0, count: bands)
        for band in 0..<bands {
            var sum: Float = 0
            for row in 0..<count { sum += own[row * stride + band] }
            let mean = sum / Float(max(count, 1))
            for row in 0..<count { own[row * stride + band] -= mean }
        }
        return count
    }

    private func compute(frames: Int) {
        let shape = model.shape
        let width = shape.frontBands * shape.channels
        let padded = Rows(spectrum.pointer, stride: width), own = padded.from(Self.padding)
        front.run(Rows(features.pointer, stride: shape.bands + 2), frames: frames, into: own)
        for row in frames..<frames + Self.padding { own.from(row).pointer.update(repeating: 0, count: width) }
        let half = (frames + 1) / 2
        model.first.apply(
            Rows(padded.pointer, stride: 2 * width), rows: half, into: dense.input, activation: .relu, in: context)
        let (rows, runs) = dense.run(model.blocks, frames: half)
        model.norm.apply(rows, rows: runs.rows, into: rows, in: context)
        computeStatistics(rows, runs)
        model.output.apply(
            Rows(statistics.pointer, stride: 2 * shape.lastWidth), rows: 1,
            into: Rows(values.pointer, stride: shape.values), in: context)
    }

    /// `statistics` = the mean and the standard deviation over the frames.
    private func computeStatistics(_ x: Rows, _ runs: FrameRuns) {
        let width = model.shape.lastWidth
        let mean = statistics.pointer, deviation = mean + width, part = deviation + width
        mean.update(repeating: 0, count: 2 * width)
        for run in 0..<runs.dilation {
            let rows = runs.rows(ofRun: run)
            Channels.sum(x.from(rows.lowerBound), rows: rows.count, width: width, into: part)
            for channel in 0..<width { mean[channel] += part[channel] / Float(runs.frames) }
        }
        for run in 0..<runs.dilation {
            let rows = runs.rows(ofRun: run)
            Channels.squares(x.from(rows.lowerBound), rows: rows.count, width: width, around: mean, into: part)
            for channel in 0..<width { deviation[channel] += part[channel] }
        }
        for channel in 0..<width {
            deviation[channel] = (deviation[channel] / Float(max(runs.frames - 1, 1))).squareRoot()
        }
    }
}
