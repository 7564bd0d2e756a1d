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

    package static let zero = AudioTime(value: 0, timescale: 1)

    /// Creates the time `value`/`timescale` seconds; the timescale must be at least 1.
    package init(value: Int64, timescale: Int32) {
        precondition(timescale > 0, "a second has at least one unit")
        (self.value, self.timescale) = (value, timescale)
    }

    /// Creates the time nearest to a number of seconds, in nanoseconds, clamped to 146 years around 0.
    package init(seconds: Double) {
        let value = (seconds * Double(Self.nanoseconds)).rounded()
        let limit = Double(Int64.max / 2)
        self.init(value: value.isNaN ? 0 : Int64(min(limit, max(-limit, value))), timescale: Self.nanoseconds)
    }

    package var seconds: Double { Double(value) / Double(timescale) }

    static let nanoseconds: Int32 = 1_000_000_000

    init(samples: Int, rate: Int) { self.init(value: Int64(samples), timescale: Int32(rate)) }
}

extension AudioTime: Comparable, Hashable {
    package static func == (left: AudioTime, right: AudioTime) -> Bool { !(left < right) && !(right < left) }

    /// Whether the left moment is the earlier one; exact.
    package static func < (left: AudioTime, right: AudioTime) -> Bool {
        let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
        let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
        return (a.high, a.low) < (b.high, b.low)
    }

    package func hash(into hasher: inout Hasher) {
        let divisor = greatestCommonDivisor(Int64(value.magnitude % UInt64(timescale)), Int64(timescale))
        hasher.combine(value / divisor)
        hasher.combine(Int64(timescale) / divisor)
    }
}

extension AudioTime: CustomStringConvertible {
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

extension AudioTime {
    /// The sum, saturated at the limits of 64 bits.
    package static func + (left: AudioTime, right: AudioTime) -> AudioTime {
        let (left, right) = common(left, right)
        let (sum, overflow) = left.value.addingReportingOverflow(right.value)
        return AudioTime(value: overflow ? (left.value < 0 ? .min : .max) : sum, timescale: left.timescale)
    }

    /// The difference, which is negative when the right moment is the later one.
    package static func - (left: AudioTime, right: AudioTime) -> AudioTime { left + (-right) }

    package static prefix func - (time: AudioTime) -> AudioTime {
        AudioTime(value: time.value == .min ? .max : -time.value, timescale: time.timescale)
    }

    /// The same moment in another timescale, rounded to the nearest unit and saturated at the limits of 64 bits.
    func converted(to timescale: Int32) -> AudioTime {
        AudioTime(value: units(at: timescale, rounding: .nearest).count, timescale: timescale)
    }

    enum Rounding { case down, nearest, up }

    /// The time in units of 1/`rate` seconds, and the rounding error.
    ///
    /// - Returns: the count, saturated at the limits of 64 bits; and count − time · rate in units of
    ///   1/`timescale`.
    func units(at rate: Int32, rounding: Rounding) -> (count: Int64, added: Int64) {
        let divisor = Int64(timescale)
        var (seconds, part) = value.quotientAndRemainder(dividingBy: divisor)
        if part < 0 { (seconds, part) = (seconds - 1, part + divisor) }
        // Both factors are below 2³¹.
        let (more, remainder) = (part * Int64(rate)).quotientAndRemainder(dividingBy: divisor)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(rate))
        let (count, overflows) = whole.addingReportingOverflow(more)
        guard !overflow, !overflows, count < .max else { return (seconds < 0 ? .min : .max, 0) }
        let goesUp =
            switch rounding {
            case .down: false
            case .nearest: remainder * 2 >= divisor
            case .up: remainder > 0
            }
        return goesUp ? (count + 1, divisor - remainder) : (count, -remainder)
    }

    /// Both times in a timescale that holds them exactly, or in nanoseconds where none does.
    private static func common(_ left: AudioTime, _ right: AudioTime) -> (AudioTime, AudioTime) {
        if left.timescale == right.timescale { return (left, right) }
        let divisor = greatestCommonDivisor(Int64(left.timescale), Int64(right.timescale))
        let timescale = Int64(left.timescale) / divisor * Int64(right.timescale)
        let exact = Int32(exactly: timescale) ?? nanoseconds
        return (left.converted(to: exact), right.converted(to: exact))
    }
}
