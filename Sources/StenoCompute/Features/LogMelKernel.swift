internal import CStenoKernels

/// The log-mel computation in C behind ``LogMelStream``: pure functions of pointers, safe to call from several threads
/// at once.
package enum LogMelKernel {
    /// Writes the unnormalised features of frames that start every 160 samples, and returns the largest value.
    ///
    /// A frame's row depends only on its own 400 samples: audio may be split into blocks anywhere, to be computed in
    /// parallel.
    ///
    /// - Parameters:
    ///   - samples: `(frames − 1) × 160 + 400` samples.
    ///   - frames: How many frames to compute.
    ///   - filterbank: The mel filters.
    ///   - rows: Room for `frames × filterbank.count` values: log10 of the mel energies, at least −10.
    package static func compute(
        _ samples: UnsafePointer<Float>, frames: Int, filterbank: MelFilterbank, into rows: UnsafeMutablePointer<Float>
    ) -> Float {
        withFilters(filterbank) { steno_log_mel_compute(steno_log_mel_whisper(), samples, frames, &$0, rows) }
    }

    /// The same as ``compute(_:frames:filterbank:into:)`` in the portable instruction set, for tests and measurements.
    package static func computePortably(
        _ samples: UnsafePointer<Float>, frames: Int, filterbank: MelFilterbank, into rows: UnsafeMutablePointer<Float>
    ) -> Float {
        withFilters(filterbank) {
            steno_log_mel_compute_portable(steno_log_mel_whisper(), samples, frames, &$0, rows)
        }
    }

    /// Writes `(max(row, maximum − 8) + 4) / 4` of `count` raw values.
    package static func normalize(
        _ rows: UnsafePointer<Float>, count: Int, maximum: Float, into output: UnsafeMutablePointer<Float>
    ) {
        steno_log_mel_normalize(rows, count, maximum, output)
    }

    /// Calls `body` with the filters in the kernels' form.
    static func withFilters(_ filterbank: MelFilterbank, _ body: (inout steno_mel_filters) -> Float) -> Float {
        filterbank.firstBins.withUnsafeBufferPointer { firstBins in
            filterbank.weightStarts.withUnsafeBufferPointer { weightStarts in
                filterbank.weights.withUnsafeBufferPointer { weights in
                    var filters = steno_mel_filters(
                        count: filterbank.count, first_bin: firstBins.baseAddress,
                        weight_start: weightStarts.baseAddress, weights: weights.baseAddress)
                    return body(&filters)
                }
            }
        }
    }
}
