package import Foundation
import StenoCompute
package import StenoCore

/// The weights of pyannote's segmentation-3.0, which says for each of up to three voices in ten seconds when it speaks;
/// immutable, so many states may share them.
///
/// H. Bredin, "pyannote.audio 2.1 speaker diarization pipeline" (2023); A. Plaquet and H. Bredin, "Powerset multi-class
/// cross entropy loss for neural speaker diarization" (2023). The computation for a window, whose samples are scaled to
/// a mean of 0 and a variance of 1:
/// ```
/// → 80 band-pass filters of 251 samples every 10 samples, magnitudes (SincNet: Ravanelli and Bengio 2018)
/// → the largest of three, norm over the window, leaky ReLU                                          [5325, 80]
/// → twice: convolution over five frames → the largest of three, norm, leaky ReLU         [1773, 60], [589, 60]
/// → four LSTM layers of 128 in each direction → two linear layers of 128 with leaky ReLU            [589, 128]
/// → linear layer → softmax over the seven sets of up to two voices                                    [589, 7]
/// ```
package final class SegmentationModel: Sendable {
    /// Samples of a window as in training: 10 s.
    package static let windowSamples = 160_000
    package static let framesPerWindow = 589
    /// Samples from one frame to the next: 17 ms.
    package static let frameStep = 270
    /// The number of samples that a single frame needs.
    package static let frameLength = 991
    /// Frame k of a window is centred on its sample 495 + 270 k.
    package static let firstFrameCentre = 495
    /// ``Powerset``'s sets.
    package static let classes = 7
    /// The factor of negative numbers in leaky ReLU, PyTorch's default.
    static let slope: Float = 0.01

    let shape: SegmentationShape
    let sincNet: SincNet.Weights
    let layers: [Layer]
    let hidden: [Linear]
    /// Factors of 1 for the activation of ``hidden``.
    let activation: ChannelScale
    let classifier: Linear
    let pool: WorkerPool

    /// An LSTM in each direction.
    struct Layer: Sendable {
        let forward: LSTM
        let backward: LSTM
    }

    /// The samples of some frames: each is from half-way to the one before to half-way to the next.
    package static func samples(ofFrames frames: Range<Int>) -> Range<Int> {
        let start = firstFrameCentre - frameStep / 2
        return start + frames.lowerBound * frameStep..<start + frames.upperBound * frameStep
    }

    /// The number of whole frames in a window of `samples` samples.
    package static func frames(in samples: Int) -> Int { SegmentationShape.frames(in: samples)[2] }

    /// Loads the weights from a safetensors file with pyannote's names.
    ///
    /// - Parameters:
    ///   - precision: In int8, the LSTMs and the linear layers; the convolutions are always in float32.
    ///   - threads: How many compute; nil is one per core.
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, or `modelUnsupported` for any other network.
    package static func load(
        _ file: URL, precision: Precision = .automatic, threads: Int? = nil
    ) throws -> SegmentationModel {
        try SegmentationModel(file, shape: .published, precision: precision, threads: threads)
    }

    init(_ url: URL, shape: SegmentationShape, precision: Precision, threads: Int?) throws {
        let file = try NetworkFile(url, kind: "pyannote's segmentation-3.0")
        let precision = precision.resolved
        self.shape = shape
        pool = WorkerPool.with(threads: threads)
        sincNet = try SincNet.Weights(file, shape)
        layers = try (0..<shape.layers).map { index in
            let inputs = index == 0 ? shape.channels : 2 * shape.cells
            return Layer(
                forward: try Self.lstm(file, "l\(index)", inputs, shape, precision),
                backward: try Self.lstm(file, "l\(index)_reverse", inputs, shape, precision))
        }
        hidden = try [2 * shape.cells, shape.hidden].enumerated().map { index, inputs in
            try file.linear(
                "linear.\(index).weight", [shape.hidden, inputs],
                bias: file.values("linear.\(index).bias", [shape.hidden]), precision: precision)
        }
        activation = try ChannelScale.identity(width: shape.hidden)
        classifier = try file.linear(
            "classifier.weight", [Self.classes, shape.hidden], bias: file.values("classifier.bias", [Self.classes]),
            precision: precision)
    }

    private static func lstm(
        _ file: NetworkFile, _ suffix: String, _ inputs: Int, _ shape: SegmentationShape, _ precision: Precision
    ) throws -> LSTM {
        let gates = 4 * shape.cells
        let biases = try zip(
            file.values("lstm.bias_ih_\(suffix)", [gates]), file.values("lstm.bias_hh_\(suffix)", [gates])
        ).map { $0 + $1 }
        return LSTM(
            input: try file.linear("lstm.weight_ih_\(suffix)", [gates, inputs], bias: biases, precision: precision),
            recurrence: try file.linear("lstm.weight_hh_\(suffix)", [gates, shape.cells], precision: precision))
    }

    /// Allocates the memory of one thread's computations.
    ///
    /// - Parameters:
    ///   - windows: How many are computed together; more share the LSTMs' weights.
    ///   - windowSamples: The length of the longest window.
    /// - Throws: ``StenoError`` with code `outOfMemory`.
    package func makeState(
        windows: Int = 8, windowSamples: Int = SegmentationModel.windowSamples
    ) throws -> SegmentationState {
        try SegmentationState(self, windows: windows, windowSamples: windowSamples)
    }
}

/// The sizes of a segmentation network; tests use smaller ones.
struct SegmentationShape: Sendable {
    /// Samples that a filter covers, and from one of its outputs to the next.
    static let filterTaps = 251
    static let filterStep = 10
    /// Frames that the other convolutions cover, and that are pooled after every convolution.
    static let taps = 5
    static let poolStep = 3

    /// Filters over the samples, half of them cosines and half sines.
    var filters = 80
    /// Outputs of the other convolutions.
    var channels = 60
    /// Cells of an LSTM, in each direction.
    var cells = 128
    var layers = 4
    /// Outputs of the two linear layers before the classifier.
    var hidden = 128

    /// pyannote's segmentation-3.0.
    static let published = SegmentationShape()

    /// The numbers of pooled frames after each convolution over `samples` samples.
    static func frames(in samples: Int) -> [Int] {
        let filtered = samples < filterTaps ? 0 : (samples - filterTaps) / filterStep + 1
        let first = filtered / poolStep
        let second = max(0, first - taps + 1) / poolStep
        return [first, second, max(0, second - taps + 1) / poolStep]
    }
}

/// The sets of voices between which the segmentation network decides: of three local speakers, none, one or two.
///
/// Who a local speaker is differs from window to window.
package enum Powerset {
    package static let speakers = 3

    /// The speakers in each class.
    package static let sets: [[Int]] = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]]

    /// Whether the likeliest set contains each speaker, [frames, 3].
    ///
    /// - Parameter classes: Log probabilities [frames, 7].
    package static func decisions(_ classes: [Float]) -> [Bool] {
        frames(of: classes, initial: false) { classes, speakers in
            var best = 0
            // Among equals the first, as with numpy.
            for index in sets.indices where classes[index] > classes[best] { best = index }
            for speaker in sets[best] { speakers[speaker] = true }
        }
    }

    /// The probability that each speaker is heard, [frames, 3].
    ///
    /// - Parameter classes: Log probabilities [frames, 7].
    package static func probabilities(_ classes: [Float]) -> [Float] {
        frames(of: classes, initial: 0) { classes, speakers in
            for (index, set) in sets.enumerated() where !set.isEmpty {
                let probability = exp(classes[index])
                for speaker in set { speakers[speaker] += probability }
            }
        }
    }

    /// Calls `body` with each frame's classes and room for its speakers.
    private static func frames<Value>(
        of classes: [Float], initial: Value,
        _ body: (_ classes: UnsafePointer<Float>, _ speakers: UnsafeMutablePointer<Value>) -> Void
    ) -> [Value] {
        precondition(classes.count.isMultiple(of: sets.count), "frames are whole")
        var result = [Value](repeating: initial, count: classes.count / sets.count * speakers)
        classes.withUnsafeBufferPointer { classes in
            result.withUnsafeMutableBufferPointer { result in
                guard let from = classes.baseAddress, let to = result.baseAddress else { return }
                for frame in 0..<classes.count / sets.count { body(from + frame * sets.count, to + frame * speakers) }
            }
        }
        return result
    }
}
