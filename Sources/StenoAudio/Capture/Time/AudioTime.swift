/// A position in audio, or a duration, as an exact fraction of a second.
///
///     AudioTime(value: 441, timescale: 44_100) == AudioTime(value: 10, timescale: 1_000)
///
/// Like Core Media's `CMTime` without the special values. Two times are equal when they denote the same moment,
/// whatever their timescales. Sums and differences are exact as long as a common timescale fits in 32 bits, which is
/// true for all usual sample rates combined; otherwise they are rounded to the nanosecond.
package struct AudioTime: Sendable {
    /// The number of units of 1/`timescale` seconds; negative before zero.
    package let value: Int64
    /// Units in one second, 1 or more; the sample rate for times that count samples.
    package let timescale: Int32

    /// The zero of its timeline.
    package static let zero = AudioTime(value: 0, timescale: 1)

    /// Creates the time `value`/`timescale` seconds; the timescale must be at least 1.
    package init(value: Int64, timescale: Int32) {
        precondition(timescale > 0, "a second has at least one unit")
        self.value = value
        self.timescale = timescale
    }

    /// Creates the time nearest to a number of seconds, in nanoseconds, clamped to 146 years around 0.
    package init(seconds: Double) {
        let value = (seconds * Double(Self.nanoseconds)).rounded()
        let limit = Double(Int64.max / 2)
        self.init(value: value.isNaN ? 0 : Int64(min(limit, max(-limit, value))), timescale: Self.nanoseconds)
    }

    package var seconds: Double { Double(value) / Double(timescale) }

    static let nanoseconds: Int32 = 1_000_000_000

    /// The time of the sample with index `samples` at `rate` samples per second.
    init(samples: Int, rate: Int) { self.init(value: Int64(samples), timescale: Int32(rate)) }
}

extension AudioTime: Comparable, Hashable {
    /// Whether both denote the same moment.
    package static func == (left: AudioTime, right: AudioTime) -> Bool { !(left < right) && !(right < left) }

    /// Whether the left moment is the earlier one; exact.
    package static func < (left: AudioTime, right: AudioTime) -> Bool {
        let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
        let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
        return (a.high, a.low) < (b.high, b.low)
    }

    /// Hashes the fraction in its lowest terms.
    package func hash(into hasher: inout Hasher) {
        let divisor = greatestCommonDivisor(Int64(value.magnitude % UInt64(timescale)), Int64(timescale))
        hasher.combine(value / divisor)
        hasher.combine(Int64(timescale) / divisor)
    }
}

extension AudioTime: CustomStringConvertible {
    /// The fraction, such as "441/44100 s".
    package var description: String { "\(value)/\(timescale) s" }
}

extension AudioTime: Codable {
    private enum CodingKeys: CodingKey { case value, timescale }

    /// Reads a time; throws `DecodingError` when its timescale is not positive.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let timescale = try container.decode(Int32.self, forKey: .timescale)
        guard timescale > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .timescale, in: container, debugDescription: "a timescale must be 1 or more, not \(timescale)")
        }
        self.init(value: try container.decode(Int64.self, forKey: .value), timescale: timescale)
    }
}
