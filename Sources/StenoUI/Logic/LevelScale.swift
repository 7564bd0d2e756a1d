package import Steno

/// The position of a level on a meter, as a number and in words.
package struct LevelScale: Sendable, Hashable {
    /// The levels at both ends of the meter, in dBFS.
    package static let range = -60.0...0.0

    /// The fraction of the meter that is filled, from 0 to 1.
    package let fraction: Double
    package let text: InterfaceText

    /// Creates the scale for a level; nil means no audio.
    package init(_ level: AudioLevel?) {
        let rms = level?.rms ?? -.infinity, peak = level?.peak ?? -.infinity
        let bounded = min(Self.range.upperBound, max(Self.range.lowerBound, rms.isNaN ? -.infinity : rms))
        fraction = (bounded - Self.range.lowerBound) / (Self.range.upperBound - Self.range.lowerBound)
        text = Self.text(rms: rms, peak: peak)
    }

    private static func text(rms: Double, peak: Double) -> InterfaceText {
        // The converter clips there: words are lost before any model hears them.
        if peak >= -0.5 { return .levelLoud }
        if rms >= -45 { return .levelGood }
        return rms >= -60 ? .levelQuiet : .levelSilent
    }
}
