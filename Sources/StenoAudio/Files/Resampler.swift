import StenoCore

/// Changes the sample rate of a stream, with a low-pass filter against aliasing.
///
/// Output sample k is at time k/outputRate, without delay; the input is padded with silence. n input samples give
/// exactly ceil(n · outputRate / inputRate) output samples. Every output sample is computed in the same order from the
/// same inputs, so the result does not depend on how the stream was chunked.
final class Resampler {
    /// The padding beyond the ends of the stream.
    enum Edge {
        case silence
        /// The stream reflected at its end, for audio that continues there but is unknown or at another rate: smoother
        /// than silence.
        case continuation
    }

    private let up: Int
    private let down: Int
    private let table: PolyphaseTable

    /// Input that is still needed; `history[0]` is input sample `historyStart`.
    private var history: [Float] = []
    private var historyStart = 0
    private var inputCount = 0
    private(set) var isFinished = false
    /// Whether the padding before the first sample still has to be computed, from the samples after it.
    private var lacksLead = false

    /// The next output sample is at the input position `index + phase/up`.
    private var index = 0
    private var phase = 0

    init(from inputRate: Int, to outputRate: Int = AudioFile.sampleRate) {
        precondition(inputRate > 0 && outputRate > 0, "rates are positive")
        let divisor = greatestCommonDivisor(inputRate, outputRate)
        up = outputRate / divisor
        down = inputRate / divisor
        table = PolyphaseTable(up: up, down: down)
        restart()
    }

    /// Starts a new stream at the same rates.
    ///
    /// - Parameters:
    ///   - delay: The time from the first input sample to the first output sample, as a fraction of the time
    ///     between two output samples.
    ///   - edge: The padding before the first sample.
    func restart(after delay: (part: Int, of: Int) = (0, 1), edge: Edge = .silence) {
        // Rounded down to a fraction of the table, which does not change which samples are output.
        (index, phase) = (delay.part * down / delay.of).quotientAndRemainder(dividingBy: up)
        // The filter reaches this far before the first sample.
        historyStart = 1 - table.taps / 2
        history = [Float](repeating: 0, count: table.taps / 2 - 1)
        lacksLead = edge == .continuation
        (inputCount, isFinished) = (0, false)
    }

    func push(_ samples: UnsafeBufferPointer<Float>) {
        precondition(!isFinished, "the stream has ended")
        dropUsed()
        history.append(contentsOf: samples)
        inputCount += samples.count
    }

    /// Marks the end of the input, so that the last output samples can be computed.
    func finish(edge: Edge = .silence) {
        guard !isFinished else { return }
        isFinished = true
        dropUsed()
        switch edge {
        case .silence: history.append(contentsOf: [Float](repeating: 0, count: table.taps / 2))
        case .continuation: continueEnd()
        }
    }

    /// Computes as much output as possible and returns the number of samples.
    func pull(into output: UnsafeMutableBufferPointer<Float>) -> Int {
        if lacksLead {
            guard inputCount >= table.taps / 2 || isFinished else { return 0 }
            makeLead()
        }
        return history.withUnsafeBufferPointer { history in
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

    /// The number of buffered input samples; bounded by the length of the filter and the largest push.
    var bufferedCount: Int { history.count }

    private func sample(_ input: UnsafePointer<Float>) -> Float {
        guard table.isInterpolated else { return dotProduct(input, table[phase], count: table.taps) }
        let place = phase * table.steps
        let fraction = Float(place % up) / Float(up)
        let before = dotProduct(input, table[place / up], count: table.taps)
        let after = dotProduct(input, table[place / up + 1], count: table.taps)
        return before + (after - before) * fraction
    }

    private func makeLead() {
        lacksLead = false
        let lead = table.taps / 2 - 1
        guard inputCount > 0 else { return }
        let (pivot, last) = (history[lead], lead + inputCount - 1)
        for distance in 1...lead { history[lead - distance] = 2 * pivot - history[min(lead + distance, last)] }
    }

    private func continueEnd() {
        guard inputCount > 0 else { return }
        let (last, first) = (history.count - 1, max(0, -historyStart))
        let pivot = history[last]
        for distance in 1...(table.taps / 2) { history.append(2 * pivot - history[max(last - distance, first)]) }
    }

    private func dropUsed() {
        let used = min(index - table.taps / 2 + 1 - historyStart, history.count)
        guard used > 0 else { return }
        history.removeFirst(used)
        historyStart += used
    }
}

/// Sums in 16 lanes, in an order that depends only on `count`, a multiple of 16.
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

/// Resamples a source of any rate to the 16 kHz of the engine.
final class ResamplingSource: SampleSource {
    private let source: any NativeRateSource
    /// Created with the first read; nil until then, and for a source that already has the right rate.
    private var resampler: Resampler?
    private let chunk = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8192)

    init(_ source: any NativeRateSource) { self.source = source }

    deinit { chunk.deallocate() }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        guard source.sampleRate != AudioFile.sampleRate, !buffer.isEmpty else { return try source.read(into: buffer) }
        let resampler = resampler ?? Resampler(from: source.sampleRate)
        self.resampler = resampler
        while true {
            let count = resampler.pull(into: buffer)
            if count > 0 {
                clip(buffer[..<count])
                return count
            }
            if resampler.isFinished { return 0 }
            let read = try source.read(into: chunk)
            if read > 0 { resampler.push(UnsafeBufferPointer(rebasing: chunk[..<read])) } else { resampler.finish() }
        }
    }

    var warnings: [TranscriptionWarning] { source.warnings }

    func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        resampler = nil
        return true
    }

    /// The filter overshoots at full-scale edges, so samples are clipped to ±1.
    private func clip(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) {
        var samples = samples
        for index in samples.indices { samples[index] = min(1, max(-1, samples[index])) }
    }
}

/// Euclid's algorithm, for numbers that are not negative.
func greatestCommonDivisor<Number: BinaryInteger>(_ a: Number, _ b: Number) -> Number {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
}
