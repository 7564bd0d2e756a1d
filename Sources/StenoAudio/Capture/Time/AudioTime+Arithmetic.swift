extension AudioTime {
    /// The sum, saturated at the limits of 64 bits.
    package static func + (left: AudioTime, right: AudioTime) -> AudioTime {
        let (left, right) = common(left, right)
        let (sum, overflow) = left.value.addingReportingOverflow(right.value)
        return AudioTime(value: overflow ? (left.value < 0 ? .min : .max) : sum, timescale: left.timescale)
    }

    /// The difference, which is negative when the right moment is the later one.
    package static func - (left: AudioTime, right: AudioTime) -> AudioTime { left + (-right) }

    /// The time with the opposite sign.
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
