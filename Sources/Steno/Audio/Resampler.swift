/// Changes the sample rate of a stream, with what lies beyond the new band filtered out.
///
/// Output sample k stands at the time k/outputRate, with no delay; before the first and after the last input sample
/// there is silence. n input samples give exactly ceil(n · outputRate / inputRate) output samples. Every output sample is
/// computed in the same order from the same inputs, so the result does not depend on how the stream was cut.
final class Resampler {
    private let up: Int
    private let down: Int
    private let table: PolyphaseTable

    /// Input that is still needed; `history[0]` is the input sample number `historyStart`.
    private var history: [Float]
    private var historyStart: Int
    private var inputCount = 0
    private(set) var isFinished = false

    /// The next output sample stands at the input position `index + phase/up`.
    private var index = 0
    private var phase = 0

    init(from inputRate: Int, to outputRate: Int = AudioFile.sampleRate) {
        precondition(inputRate > 0 && outputRate > 0, "rates are positive")
        let divisor = greatestCommonDivisor(inputRate, outputRate)
        up = outputRate / divisor
        down = inputRate / divisor
        table = PolyphaseTable(up: up, down: down)
        // The filter reaches this far before the first sample.
        historyStart = 1 - table.taps / 2
        history = [Float](repeating: 0, count: table.taps / 2 - 1)
    }

    /// Appends input.
    func push(_ samples: UnsafeBufferPointer<Float>) {
        precondition(!isFinished, "the stream has ended")
        dropUsed()
        history.append(contentsOf: samples)
        inputCount += samples.count
    }

    /// Says that no input follows, so that the last output samples can be computed.
    func finish() {
        guard !isFinished else { return }
        isFinished = true
        dropUsed()
        history.append(contentsOf: repeatElement(0, count: table.taps / 2))
    }

    /// Computes what can be computed of the output and returns how much that was.
    func pull(into output: UnsafeMutableBufferPointer<Float>) -> Int {
        history.withUnsafeBufferPointer { history in
            var count = 0
            while count < output.count, index < inputCount {
                let first = index - table.taps / 2 + 1 - historyStart
                guard let base = history.baseAddress, first + table.taps <= history.count else { break }
                output[count] = sample(base + first)
                count += 1
                phase += down
                index += phase / up
                phase %= up
            }
            return count
        }
    }

    /// Input samples that are kept; bounded by the filter's length and the largest push.
    var bufferedCount: Int { history.count }

    private func sample(_ input: UnsafePointer<Float>) -> Float {
        guard table.isInterpolated else { return dotProduct(input, table[phase], count: table.taps) }
        let place = phase * table.steps
        let fraction = Float(place % up) / Float(up)
        let before = dotProduct(input, table[place / up], count: table.taps)
        let after = dotProduct(input, table[place / up + 1], count: table.taps)
        return before + (after - before) * fraction
    }

    private func dropUsed() {
        let used = min(index - table.taps / 2 + 1 - historyStart, history.count)
        guard used > 0 else { return }
        history.removeFirst(used)
        historyStart += used
    }
}

/// Sums in 16 lanes, in an order that depends on nothing but `count`, a multiple of 16.
@inline(__always)
private func dotProduct(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
    let left = UnsafeRawPointer(a)
    let right = UnsafeRawPointer(b)
    var low = SIMD8<Float>.zero
    var high = SIMD8<Float>.zero
    var offset = 0
    while offset < count * 4 {
        low +=
            left.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            * right.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        high +=
            left.loadUnaligned(fromByteOffset: offset + 32, as: SIMD8<Float>.self)
            * right.loadUnaligned(fromByteOffset: offset + 32, as: SIMD8<Float>.self)
        offset += 64
    }
    return (low + high).sum()
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
}
