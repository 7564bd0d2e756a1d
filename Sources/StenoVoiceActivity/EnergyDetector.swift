import Foundation
import StenoCore

/// Detects speech only by its level: the number of decibels above the noise.
///
/// - A window's level is its root mean square, in decibels relative to full scale.
/// - The noise level is the lowest smoothed level of the last three seconds (minimum statistics, Martin 2001): pauses
///   between words are enough to find it, and noise that becomes louder is accepted as noise three seconds later. A
///   recording is assumed to begin with noise no louder than −45 dB, and the noise is never estimated below −66 dB.
/// - The probability is ½ at 9 dB above the noise, or at 5 dB during speech (hysteresis); it rises to 0.73 within 2 dB
///   more. Below −60 dB nothing is speech.
///
/// It takes any loud noise, such as a slamming door, for speech and misses speech quieter than the noise: a fallback
/// for when no model is available.
package final class EnergyDetector: VoiceActivityDetector {
    private static let beginMargin = 9.0
    private static let endMargin = 5.0
    private static let slope = 2.0
    private static let silenceLevel = -60.0
    private static let expectedNoise = -45.0
    /// Digital silence says nothing about the noise that follows it.
    private static let quietestNoise = -66.0
    /// The weight of a window's level in the smoothed level.
    private static let smoothing = 0.4
    /// Eight blocks of 12 windows are 3 s.
    private static let blockCount = 8
    private static let blockWindows = 12

    /// The lowest smoothed level of each block; the last block is incomplete.
    private var minima: [Double] = []
    private var windowsInBlock = 0
    private var smoothed: Double?
    private var isSpeech = false

    package init() { reset() }

    package func reset() {
        minima = Array(repeating: Self.expectedNoise, count: Self.blockCount)
        (windowsInBlock, smoothed, isSpeech) = (0, nil, false)
    }

    package func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to probabilities: inout [Float]) {
        let length = VoiceActivity.windowLength
        precondition(windows.count.isMultiple(of: length), "windows are whole")
        for start in stride(from: 0, to: windows.count, by: length) {
            let window = UnsafeBufferPointer(rebasing: windows[start..<start + length])
            probabilities.append(Float(speechProbability(atLevel: Self.level(window))))
        }
    }

    private func speechProbability(atLevel level: Double) -> Double {
        follow(level)
        let noise = max(Self.quietestNoise, minima.min() ?? Self.expectedNoise)
        let margin = isSpeech ? Self.endMargin : Self.beginMargin
        let probability = 1 / (1 + exp(-(level - noise - margin) / Self.slope))
        isSpeech = level > Self.silenceLevel && probability >= 0.5
        return level > Self.silenceLevel ? probability : min(probability, 0.01)
    }

    private func follow(_ level: Double) {
        let next = smoothed.map { $0 + Self.smoothing * (level - $0) } ?? level
        smoothed = next
        if windowsInBlock == Self.blockWindows {
            minima.removeFirst()
            minima.append(next)
            windowsInBlock = 0
        }
        minima[minima.count - 1] = min(minima[minima.count - 1], next)
        windowsInBlock += 1
    }

    private static func level(_ window: UnsafeBufferPointer<Float>) -> Double {
        var energy = 0.0
        for sample in window where sample.isFinite { energy += Double(sample) * Double(sample) }
        return 10 * log10(energy / Double(window.count) + 1e-12)
    }
}
