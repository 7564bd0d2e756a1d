import StenoCompute
import StenoCore

/// The working memory of a segmentation network; one thread uses it at a time.
///
/// The LSTMs are the longest part: a step needs the one before it. So several windows are computed together, which
/// share each step's weights, and each direction of a few windows has its own thread.
package final class SegmentationState {
    /// Rows of the linear layers' products.
    private static let rowsPerProduct = 960

    private let model: SegmentationModel
    private let context: ComputeContext
    private let sincNet: SincNet
    private let windows: Int
    private let windowSamples: Int
    /// Both directions of each group of windows.
    private let lanes: [LSTMLane]
    /// [group, frames, windows of the group, channels].
    private let features: ScratchBuffer
    /// The same of the LSTM layers' outputs, in turn.
    private let outputs: [ScratchBuffer]
    /// The linear layers' outputs, in turn.
    private let hidden: [ScratchBuffer]

    init(_ model: SegmentationModel, windows: Int, windowSamples: Int) throws {
        precondition(windows > 0 && windowSamples >= SegmentationModel.frameLength, "a window has a frame")
        (self.model, self.windows, self.windowSamples) = (model, windows, windowSamples)
        let shape = model.shape
        context = ComputeContext(pool: model.pool)
        sincNet = try SincNet(model.sincNet, windowSamples: windowSamples, in: context)
        let groups = min(windows, max(1, model.pool.threads / 2))
        let layers = model.layers.flatMap { [$0.forward, $0.backward] }
        lanes = try (0..<2 * groups).map { _ in try LSTMLane(layers, rows: (windows + groups - 1) / groups) }
        let rows = windows * SegmentationModel.frames(in: windowSamples)
        features = try ScratchBuffer(zeros: rows * shape.channels)
        outputs = try (0..<2).map { _ in try ScratchBuffer(zeros: rows * 2 * shape.cells) }
        let widest = max(shape.hidden, SegmentationModel.classes)
        hidden = try (0..<2).map { _ in try ScratchBuffer(zeros: Self.rowsPerProduct * widest) }
        for linear in model.hidden + [model.classifier] { try context.reserve(linear, rows: Self.rowsPerProduct) }
    }

    /// The log probabilities of ``Powerset``'s sets in windows of equal length, [windows, frames, 7].
    ///
    /// - Parameters:
    ///   - samples: A recording, from −1 to 1.
    ///   - starts: The windows' first samples; they end within the recording.
    ///   - length: The length of a window, at least 991 and no longer than the state's.
    package func classes(of samples: UnsafeBufferPointer<Float>, starts: [Int], length: Int) -> [Float] {
        precondition(
            (SegmentationModel.frameLength...windowSamples).contains(length), "the state has memory for the windows")
        precondition(starts.allSatisfy { $0 >= 0 && $0 <= samples.count - length }, "the windows are in the recording")
        let frames = SegmentationModel.frames(in: length), classes = SegmentationModel.classes
        var result = [Float](repeating: 0, count: starts.count * frames * classes)
        result.withUnsafeMutableBufferPointer { result in
            guard let from = samples.baseAddress, let to = result.baseAddress else { return }
            for first in stride(from: 0, to: starts.count, by: windows) {
                let batch = starts[first..<min(first + windows, starts.count)].map { from + $0 }
                compute(batch, length: length, into: to + first * frames * classes)
            }
        }
        return result
    }

    /// The same for windows that are arrays of equal length.
    package func classes(of windows: [[Float]]) -> [Float] {
        guard let length = windows.first?.count else { return [] }
        precondition(windows.allSatisfy { $0.count == length }, "windows have equal lengths")
        return windows.flatMap(\.self).withUnsafeBufferPointer {
            classes(of: $0, starts: windows.indices.map { $0 * length }, length: length)
        }
    }

    private func compute(_ batch: [UnsafePointer<Float>], length: Int, into result: UnsafeMutablePointer<Float>) {
        let frames = SegmentationModel.frames(in: length), channels = model.shape.channels
        let groups = Self.groups(of: batch.count, atMost: lanes.count / 2)
        for group in groups {
            for (place, window) in group.enumerated() {
                let first = features.pointer + (group.lowerBound * frames + place) * channels
                sincNet.run(batch[window], count: length, into: Rows(first, stride: group.count * channels))
            }
        }
        let rows = computeLayers(groups, frames: frames)
        classify(rows, groups, frames: frames, into: result)
    }

    /// Windows 0 ..< count in at most `most` groups of about equal size.
    private static func groups(of count: Int, atMost most: Int) -> [Range<Int>] {
        let groups = min(count, most)
        return (0..<groups).map { $0 * count / groups..<($0 + 1) * count / groups }
    }

    private func computeLayers(_ groups: [Range<Int>], frames: Int) -> Rows {
        let cells = model.shape.cells
        var from = Rows(features.pointer, stride: model.shape.channels)
        for (index, layer) in model.layers.enumerated() {
            let to = Rows(outputs[index % 2].pointer, stride: 2 * cells)
            nonisolated(unsafe) let x = from, y = to, lanes = lanes
            model.pool.run(2 * groups.count) { task in
                let group = groups[task / 2], isBackward = task % 2 == 1
                let first = group.lowerBound * frames
                lanes[task].run(
                    isBackward ? layer.backward : layer.forward, x.from(first), steps: frames, rows: group.count,
                    backward: isBackward, into: y.from(first).dropColumns(isBackward ? cells : 0))
            }
            from = to
        }
        return from
    }

    private func classify(
        _ x: Rows, _ groups: [Range<Int>], frames: Int, into result: UnsafeMutablePointer<Float>
    ) {
        let classes = SegmentationModel.classes
        for group in groups {
            let first = group.lowerBound * frames
            for start in stride(from: 0, to: group.count * frames, by: Self.rowsPerProduct) {
                let count = min(Self.rowsPerProduct, group.count * frames - start)
                let logits = logits(x.from(first + start), rows: count)
                for row in 0..<count {
                    let (frame, place) = (start + row).quotientAndRemainder(dividingBy: group.count)
                    let out = result + ((group.lowerBound + place) * frames + frame) * classes
                    out.update(from: logits + row * classes, count: classes)
                    Reductions.logSoftmax(out, count: classes)
                }
            }
        }
    }

    /// The linear layers: [rows, classes].
    private func logits(_ x: Rows, rows: Int) -> UnsafeMutablePointer<Float> {
        var from = x
        for (index, linear) in model.hidden.enumerated() {
            let to = Rows(hidden[index % 2].pointer, stride: model.shape.hidden)
            linear.apply(from, rows: rows, into: to, in: context)
            model.activation.apply(to, rows: rows, slope: SegmentationModel.slope, into: to, in: context)
            from = to
        }
        let logits = hidden[model.hidden.count % 2].pointer
        model.classifier.apply(from, rows: rows, into: Rows(logits, stride: SegmentationModel.classes), in: context)
        return logits
    }
}
