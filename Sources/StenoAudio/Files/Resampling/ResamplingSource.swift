import StenoCore

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
