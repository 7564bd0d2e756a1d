import Foundation
import StenoCore

/// Cuts regions of speech into windows and computes their embeddings, in batches.
struct WindowEmbedder {
    /// Samples from one window to the next: 0.8 s, half a window.
    ///
    /// With a hop of 1.2 s, half a percent more of the time is attributed to the wrong speaker.
    static let hop = 12_800
    /// The level in dBFS to which quieter windows are raised, as in the encoder's training.
    private static let level: Float = -30

    private let encoder: any SpeakerEncoder
    private var pending: [(range: Range<Int>, region: Int)] = []
    private var samples: [Float] = []
    /// The windows computed so far, in order.
    private(set) var windows: [SpeakerWindow] = []

    init(_ encoder: any SpeakerEncoder) { self.encoder = encoder }

    /// Adds a region of speech that starts at a sample of the recording.
    mutating func append(_ speech: ArraySlice<Float>, from start: Int, region: Int) {
        for range in Self.ranges(of: speech.count, window: encoder.windowLength) {
            append(
                speech.dropFirst(range.lowerBound).prefix(range.count),
                window: start + range.lowerBound..<start + range.upperBound, region: region)
        }
    }

    /// Adds one window, no longer than the encoder's.
    mutating func append(_ speech: ArraySlice<Float>, window: Range<Int>, region: Int) {
        pending.append((window, region))
        append(speech)
        if pending.count == encoder.batch { flush() }
    }

    mutating func flush() {
        guard !pending.isEmpty else { return }
        var values = [Float](repeating: 0, count: pending.count * encoder.width)
        samples.withUnsafeBufferPointer { samples in
            values.withUnsafeMutableBufferPointer { values in
                guard let from = samples.baseAddress, let to = values.baseAddress else { return }
                encoder.embed(from, windows: pending.count, into: to)
            }
        }
        for (index, window) in pending.enumerated() {
            let embedding = SpeakerEmbedding(Array(values[index * encoder.width..<(index + 1) * encoder.width]))
            windows.append(SpeakerWindow(range: window.range, region: window.region, embedding: embedding))
        }
        pending.removeAll(keepingCapacity: true)
        samples.removeAll(keepingCapacity: true)
    }

    mutating func takeWindows() -> [SpeakerWindow] {
        defer { windows = [] }
        return windows
    }

    /// The ranges of the windows in a region, evenly spaced from its start to its end.
    static func ranges(of length: Int, window: Int) -> [Range<Int>] {
        guard length > 0 else { return [] }
        guard length > window else { return [0..<length] }
        let steps = (length - window + hop - 1) / hop
        return (0...steps).map { step in
            let start = (length - window) * step / steps
            return start..<start + window
        }
    }

    /// Adds the samples of a window: a shorter one is repeated until it is full, and a quiet one is amplified.
    private mutating func append(_ speech: ArraySlice<Float>) {
        var energy: Float = 0
        for sample in speech { energy += sample * sample }
        let level = 10 * log10(max(energy / Float(max(speech.count, 1)), 1e-12))
        let gain = level < Self.level ? pow(10, (Self.level - level) / 20) : 1
        var missing = encoder.windowLength
        while missing > 0 {
            for sample in speech.prefix(missing) { samples.append(sample.isFinite ? sample * gain : 0) }
            missing -= min(missing, max(speech.count, 1))
        }
    }
}

/// A window of speech: where it is, and the voice in it.
package struct SpeakerWindow: Sendable, Hashable {
    /// The samples it covers, without the padding by repetition.
    package var range: Range<Int>
    /// The index of the region of speech that contains it.
    package var region: Int
    /// The voice, of length 1.
    package var embedding: SpeakerEmbedding

    package var centre: Int { (range.lowerBound + range.upperBound) / 2 }
}
