import StenoCompute
import StenoCore

/// The channels of a spectrogram: a plane [frames, channels] for each frequency, with a row of zeros before its first
/// frame and after its last.
struct Planes {
    let base: UnsafeMutablePointer<Float>
    let frequencies: Int
    let frames: Int
    let channels: Int

    static func count(frequencies: Int, frames: Int, channels: Int) -> Int { frequencies * (frames + 2) * channels }

    /// The rows of a frequency, beginning with the row of zeros.
    func padded(_ frequency: Int) -> Rows { Rows(base + frequency * (frames + 2) * channels, stride: channels) }

    /// The rows of a frequency's frames.
    func plane(_ frequency: Int) -> Rows { padded(frequency).from(1) }

    /// All rows of all frequencies, those of zeros included.
    var rows: (rows: Rows, count: Int) { (Rows(base, stride: channels), frequencies * (frames + 2)) }

    func clearEdges() {
        for frequency in 0..<frequencies {
            let rows = padded(frequency)
            for row in [0, frames + 1] { rows.from(row).pointer.update(repeating: 0, count: channels) }
        }
    }
}

/// A convolution over three frequencies and three frames, with the batch norm that follows it.
///
/// Three consecutive frames of a plane are contiguous, so each of the three frequencies is one product over overlapping
/// rows, and nothing is copied. A plane's products are computed together, since they quantise the same rows.
struct PlaneConvolution: Sendable {
    /// The products of the frequency before, the frequency itself, which has the bias, and the one after.
    private let taps: [Linear]
    /// Frequencies from one output to the next.
    private let stride: Int

    /// - Parameter name: The names of the convolution and of its norm.
    init(
        _ file: NetworkFile, _ name: (convolution: String, norm: String), outputs: Int, channels: Int, stride: Int = 1,
        precision: Precision
    ) throws {
        let weights = try file.values(name.convolution + ".weight", [outputs, channels, 3, 3])
        let norm = try file.batchNorm(name.norm, width: outputs)
        self.stride = stride
        taps = try (0..<3).map { tap in
            var rows: [Float] = []
            rows.reserveCapacity(outputs * 3 * channels)
            for output in 0..<outputs {
                for frame in 0..<3 {
                    for channel in 0..<channels {
                        rows.append(weights[((output * channels + channel) * 3 + tap) * 3 + frame])
                    }
                }
            }
            return try file.linear(
                rows, outputs: outputs, factors: norm.scale, bias: tap == 1 ? norm.shift : nil, precision: precision)
        }
    }

    func reserve(in context: ComputeContext, frames: Int) throws {
        for tap in taps { try context.reserve(tap, rows: frames) }
    }

    func frequencies(of x: Planes) -> Int { (x.frequencies - 1) / stride + 1 }

    /// Writes the convolution of each frequency, plus what is added to it.
    func apply(
        _ x: Planes, into y: (_ frequency: Int) -> Rows, adding residual: (_ frequency: Int) -> Rows? = { _ in nil },
        in context: ComputeContext
    ) {
        let results = frequencies(of: x)
        for plane in 0..<x.frequencies {
            let products = taps.enumerated().compactMap { tap, linear -> Linear.Product? in
                let centre = plane + 1 - tap, frequency = centre / stride
                guard centre >= 0, centre % stride == 0, frequency < results else { return nil }
                // The first product of a result also adds the residual, the others what is already there.
                let isFirst = tap == 0 || plane == 0
                return .init(linear, into: y(frequency), adding: isFirst ? residual(frequency) : y(frequency))
            }
            Linear.apply(products, to: x.padded(plane), rows: x.frames, in: context)
        }
    }
}
