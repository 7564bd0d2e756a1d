/// The parameters of a model's log-mel features.
///
/// A frame's samples are weighted by a window and followed by zeros up to the length of the Fourier transform. The power
/// spectrum is passed through mel filters (``MelFilterbank``); a feature is log(max(energy + guard, floor)).
package struct LogMelGeometry: Sendable, Hashable {
    /// The weights of a frame's samples.
    package enum Window: Sendable, Hashable {
        /// 0.5 − 0.5 cos(2πn / length), as in Whisper.
        case periodicHann
        /// 0.5 − 0.5 cos(2πn / (length − 1)), for FastConformer (NeMo's Parakeet and Nemotron).
        case symmetricHann
        /// The symmetric Hann window to the power of 0.85, Kaldi's default.
        case povey
    }

    /// The mel scale and the heights of the filters.
    package enum Filters: Sendable, Hashable {
        /// Slaney's from 0 Hz, of equal areas, as in Whisper and FastConformer.
        case slaney
        /// O'Shaughnessy's from 20 Hz, of equal heights, as in Kaldi.
        case kaldi
    }

    package enum Logarithm: Sendable, Hashable {
        /// As in Whisper.
        case base10
        /// For FastConformer.
        case natural
    }

    /// Samples per second.
    package var sampleRate: Int
    /// The length of a frame's Fourier transform in samples: even, at most 2048, without prime factors beyond 31.
    package var transformLength: Int
    /// Samples in a frame, from 1 to ``transformLength``.
    package var frameLength: Int
    /// Samples from one frame to the next, at least 1.
    package var hopLength: Int
    /// The number of mel bands, from 1 to 512.
    package var melCount: Int
    /// The weights of a frame's samples.
    package var window: Window
    package var filters: Filters
    package var logarithm: Logarithm
    /// Added to every energy; not negative.
    package var guardEnergy: Float
    /// The smallest energy; it or ``guardEnergy`` must be at least 1e-37.
    package var floor: Float

    /// Creates a geometry; the defaults are Whisper's.
    package init(
        sampleRate: Int = LogMel.sampleRate, transformLength: Int = LogMel.frameLength,
        frameLength: Int = LogMel.frameLength, hopLength: Int = LogMel.hopLength, melCount: Int = 80,
        window: Window = .periodicHann, filters: Filters = .slaney, logarithm: Logarithm = .base10,
        guardEnergy: Float = 0, floor: Float = 1e-10
    ) {
        (self.sampleRate, self.transformLength, self.frameLength) = (sampleRate, transformLength, frameLength)
        (self.hopLength, self.melCount, self.window) = (hopLength, melCount, window)
        (self.filters, self.logarithm, self.guardEnergy) = (filters, logarithm, guardEnergy)
        self.floor = floor
    }
}

/// Whisper's input features: the log-mel spectrogram, one row of mel energies every 10 ms.
///
/// The values are openai-whisper's (`audio.py`); the frames at both ends are faster-whisper's. A frame covers 25 ms of
/// audio around its time, weighted by a Hann window. Its power spectrum is passed through the ``MelFilterbank``; the
/// model's input is `(max(x, m − 8) + 4) / 4`, where `x` is log10 of an energy and `m` the largest `x` of the whole
/// recording.
package enum LogMel {
    /// Samples per second.
    package static let sampleRate = 16_000
    /// Samples in a frame, equal to the length of its Fourier transform: 25 ms.
    package static let frameLength = 400
    /// Samples from one frame to the next: 10 ms.
    package static let hopLength = 160
    package static let framesPerSecond = 100
    /// log10 of the smallest energy, that of digital silence.
    package static let silence: Float = -10

    /// Samples up to this magnitude are digital silence: one 16-bit step, which dither reaches and any microphone
    /// exceeds.
    package static let silencePeak: Float = 1 / 32_768

    package static func seconds(_ samples: Int) -> Double { Double(samples) / Double(sampleRate) }

    /// The features of a recording in memory, in the model's range.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz, mono, from −1 to 1; any number of them.
    ///   - filterbank: The mel filters.
    /// - Returns: `samples.count / 160` contiguous rows of `filterbank.count` values.
    package static func compute(_ samples: [Float], filterbank: MelFilterbank) -> [Float] {
        let contentFrames = samples.count / hopLength
        let padded = padded(samples)
        var rows = [Float](repeating: 0, count: (contentFrames + 1) * filterbank.count)
        rows.withUnsafeMutableBufferPointer { rows in
            guard let start = rows.baseAddress else { return }
            // As in faster-whisper, the frame after the last full one counts for the maximum but is not content.
            let maximum = LogMelKernel.compute(padded, frames: contentFrames + 1, filterbank: filterbank, into: start)
            LogMelKernel.normalize(start, count: rows.count, maximum: maximum, into: start)
        }
        rows.removeLast(filterbank.count)
        return rows
    }

    /// Half a frame of reflected audio, then the audio, then half a frame of silence; see ``FrameReader``.
    private static func padded(_ samples: [Float]) -> [Float] {
        let half = frameLength / 2
        var padded = [Float](repeating: 0, count: half + max(samples.count, half) + half + 1)
        padded.replaceSubrange(half..<(half + samples.count), with: samples)
        for distance in 1...half { padded[half - distance] = padded[half + distance] }
        return padded
    }
}
