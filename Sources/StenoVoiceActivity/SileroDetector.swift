import Foundation
import StenoCompute
import StenoCore

/// Silero VAD (Silero Team, MIT): a small network that detects speech, implemented natively.
///
/// One core processes several hundred seconds of audio per second. The probabilities agree with the ONNX original, run
/// with the same weights, to 1e-4.
package final class SileroDetector: VoiceActivityDetector {
    /// The maximum number of windows that the convolutions process as one batch: half a second.
    private static let batch = 16
    private static let paddedLength = VoiceActivity.windowLength + 2 * SileroModel.contextLength
    private static let frames = 4

    private let model: SileroModel
    // Its own context with one thread: usually a single window arrives at a time, too little work to share.
    private let context = ComputeContext(pool: WorkerPool(threads: 1))

    /// The end of the previous window.
    private let before: ScratchBuffer
    /// The LSTM's output and cell state.
    private let hidden: ScratchBuffer
    private let cell: ScratchBuffer

    /// [batch, 640]: context, window, reflection.
    private let padded: ScratchBuffer
    /// The layers' inputs and outputs; the widest are 5 frames of 258.
    private let rows: ScratchBuffer
    private let nextRows: ScratchBuffer
    private let scratch: ScratchBuffer
    /// [batch, 512]: the pre-activations of the four gates.
    private let gates: ScratchBuffer

    /// - Throws: ``StenoError`` with code `outOfMemory`.
    package init(_ model: SileroModel) throws {
        self.model = model
        before = try ScratchBuffer(zeros: SileroModel.contextLength)
        hidden = try ScratchBuffer(zeros: SileroModel.width)
        cell = try ScratchBuffer(zeros: SileroModel.width)
        padded = try ScratchBuffer(zeros: Self.batch * Self.paddedLength)
        rows = try ScratchBuffer(zeros: Self.batch * 5 * 2 * SileroModel.binCount)
        nextRows = try ScratchBuffer(zeros: Self.batch * Self.frames * SileroModel.binCount)
        scratch = try ScratchBuffer(zeros: model.convolutions.map { $0.scratch(windows: Self.batch) }.max() ?? 0)
        gates = try ScratchBuffer(zeros: Self.batch * 4 * SileroModel.width)
    }

    package func reset() {
        for buffer in [before, hidden, cell] { buffer.pointer.update(repeating: 0, count: buffer.count) }
    }

    package func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to probabilities: inout [Float]) {
        let length = VoiceActivity.windowLength
        precondition(windows.count.isMultiple(of: length), "windows are whole")
        for start in stride(from: 0, to: windows.count, by: Self.batch * length) {
            let end = min(windows.count, start + Self.batch * length)
            let count = (end - start) / length
            padWindows(UnsafeBufferPointer(rebasing: windows[start..<end]), windows: count)
            computeMagnitudes(windows: count)
            encode(windows: count)
            for window in 0..<count { probabilities.append(probability(rows.pointer + window * SileroModel.width)) }
        }
    }

    /// Prepends the context to each window and appends the reflection.
    private func padWindows(_ samples: UnsafeBufferPointer<Float>, windows: Int) {
        let length = VoiceActivity.windowLength, contextLength = SileroModel.contextLength
        for window in 0..<windows {
            let start = padded.pointer + window * Self.paddedLength
            start.update(from: before.pointer, count: contextLength)
            for index in 0..<length {
                let sample = samples[window * length + index]
                // A single sample that is not finite would otherwise stay in the state forever.
                start[contextLength + index] = sample.isFinite ? sample : 0
            }
            let end = start + contextLength + length
            for distance in 0..<contextLength { end[distance] = end[-2 - distance] }
            before.pointer.update(from: end - contextLength, count: contextLength)
        }
    }

    /// `nextRows` [windows · 4, 129] = the magnitudes of the spectra.
    private func computeMagnitudes(windows: Int) {
        let bins = SileroModel.binCount
        // Frames are 128 samples apart and a padded window has 640, so the frames of all windows are equally spaced;
        // the fifth frame of each reaches into the next window and is ignored.
        model.spectrum.apply(
            Rows(padded.pointer, stride: 128), rows: 5 * windows - 1, into: Rows(rows.pointer, stride: 2 * bins),
            in: context)
        for window in 0..<windows {
            for frame in 0..<Self.frames {
                let real = rows.pointer + (5 * window + frame) * 2 * bins, imaginary = real + bins
                let magnitudes = nextRows.pointer + (Self.frames * window + frame) * bins
                for bin in 0..<bins {
                    magnitudes[bin] = (real[bin] * real[bin] + imaginary[bin] * imaginary[bin]).squareRoot()
                }
            }
        }
    }

    /// `rows` [windows, 128] = the LSTM's outputs for the convolved magnitudes.
    private func encode(windows: Int) {
        var (from, to) = (nextRows.pointer, rows.pointer)
        for convolution in model.convolutions {
            convolution.apply(from, windows: windows, into: to, scratch: scratch.pointer, in: context)
            swap(&from, &to)
        }
        model.lstm.run(
            Rows(from, stride: SileroModel.width), steps: windows, rows: 1, gates: gates.pointer, cell: cell.pointer,
            hidden: hidden.pointer, outputs: rows.pointer, in: context)
    }

    /// The probability of speech that an output of the LSTM stands for.
    private func probability(_ output: UnsafePointer<Float>) -> Float {
        var sum = model.outputBias
        for unit in 0..<SileroModel.width { sum += max(output[unit], 0) * model.output.pointer[unit] }
        return 1 / (1 + exp(-sum))
    }
}
