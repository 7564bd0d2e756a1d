import StenoCore

/// A source at any rate, as the 16 kHz the engine wants.
final class ResamplingSource: SampleSource {
    private let source: any NativeRateSource
    /// Made when the first sample is asked for; nil until then, and for a source that has the right rate already.
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

    func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        resampler = nil
        return true
    }

    /// The filter overshoots at the edges of full-scale audio, and samples end at ±1.
    private func clip(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) {
        var samples = samples
        for index in samples.indices { samples[index] = min(1, max(-1, samples[index])) }
    }
}
