internal import CStenoKernels
import Foundation
import StenoCore

/// Computes log-mel features of any geometry, unnormalised and without padding at the ends of the audio.
///
/// Whisper's own features, with its normalisation and padding, are in ``LogMel`` and ``LogMelStream``.
package final class LogMelTransform: @unchecked Sendable {
    // Sendable: the plan is written while it is created and read-only afterwards.
    private let plan: OpaquePointer

    package let geometry: LogMelGeometry
    package let filterbank: MelFilterbank

    /// Precomputes the tables of a geometry.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported` for a geometry outside the ranges that
    ///   ``LogMelGeometry`` states.
    package init(_ geometry: LogMelGeometry) throws {
        guard geometry.sampleRate > 0, (1...512).contains(geometry.melCount), let plan = Self.plan(geometry) else {
            throw StenoError(
                .modelUnsupported,
                "Log-mel features of \(geometry.melCount) bands from frames of \(geometry.frameLength) samples, \(geometry.hopLength) apart, in transforms of \(geometry.transformLength) at \(geometry.sampleRate) Hz cannot be computed. A transform has an even number of samples, at most \(STENO_LOG_MEL_FFT), without prime factors beyond 31, and a frame is no longer."
            )
        }
        (self.plan, self.geometry) = (plan, geometry)
        filterbank = geometry.filterbank
    }

    deinit { steno_log_mel_destroy(plan) }

    /// The number of whole frames in `count` samples.
    package func frames(in count: Int) -> Int {
        count < geometry.frameLength ? 0 : (count - geometry.frameLength) / geometry.hopLength + 1
    }

    /// The features of all whole frames of the samples: contiguous rows of ``LogMelGeometry/melCount`` values.
    package func features(_ samples: [Float]) -> [Float] {
        let frames = frames(in: samples.count)
        return [Float](unsafeUninitializedCapacity: frames * filterbank.count) { rows, count in
            guard let base = rows.baseAddress, frames > 0 else { return }
            _ = compute(samples, frames: frames, into: base)
            count = frames * filterbank.count
        }
    }

    /// Writes the features of `frames` frames and returns the largest, or the feature of an energy of 0 if there are
    /// none.
    ///
    /// - Parameters:
    ///   - samples: `(frames − 1) · hopLength + frameLength` samples.
    ///   - rows: Room for `frames × melCount` values.
    package func compute(
        _ samples: UnsafePointer<Float>, frames: Int, into rows: UnsafeMutablePointer<Float>
    ) -> Float {
        LogMelKernel.withFilters(filterbank) { steno_log_mel_compute(plan, samples, frames, &$0, rows) }
    }

    private static func plan(_ geometry: LogMelGeometry) -> OpaquePointer? {
        guard let transform = Int32(exactly: geometry.transformLength),
            let frame = Int32(exactly: geometry.frameLength), let hop = Int32(exactly: geometry.hopLength)
        else { return nil }
        var plain = steno_log_mel_geometry()
        plain.fft_length = transform
        plain.frame_length = frame
        plain.hop = hop
        plain.logarithm = geometry.logarithm == .natural ? STENO_LOG_NATURAL : STENO_LOG10
        plain.guard = geometry.guardEnergy
        plain.floor = geometry.floor
        guard geometry.window != .periodicHann, frame > 0, frame <= STENO_LOG_MEL_FFT else {
            return steno_log_mel_create(&plain)
        }
        // A window of one sample is 1, not 0 / 0.
        let last = Double(max(frame - 1, 1)), power = geometry.window == .povey ? 0.85 : 1
        let window = (0..<frame).map {
            frame == 1 ? 1 : Float(pow(0.5 - 0.5 * cos(2 * .pi * Double($0) / last), power))
        }
        return window.withUnsafeBufferPointer {
            plain.window = $0.baseAddress
            return steno_log_mel_create(&plain)
        }
    }
}

extension LogMelGeometry {
    fileprivate var filterbank: MelFilterbank {
        switch filters {
        case .slaney: MelFilterbank(count: melCount, sampleRate: sampleRate, transformLength: transformLength)
        case .kaldi: MelFilterbank(kaldi: melCount, sampleRate: sampleRate, transformLength: transformLength)
        }
    }
}

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
    ///   - rows: Room for `frames × filterbank.count` values: log10 of the mel energies, at least −10.
    package static func compute(
        _ samples: UnsafePointer<Float>, frames: Int, filterbank: MelFilterbank, into rows: UnsafeMutablePointer<Float>
    ) -> Float {
        withFilters(filterbank) { steno_log_mel_compute(steno_log_mel_whisper(), samples, frames, &$0, rows) }
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
