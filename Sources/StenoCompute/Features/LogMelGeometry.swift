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

    /// The base of the logarithm.
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
        self.sampleRate = sampleRate
        self.transformLength = transformLength
        self.frameLength = frameLength
        self.hopLength = hopLength
        self.melCount = melCount
        self.window = window
        self.filters = filters
        self.logarithm = logarithm
        self.guardEnergy = guardEnergy
        self.floor = floor
    }
}
