/// Writes times as in subtitles: `01:02.500`, and `01:01:02.500` from the first hour on.
public enum Timestamp {
    /// Writes seconds as `[hh:]mm:ss.mmm`, rounded to the millisecond (half to even, as in Python).
    ///
    /// - Parameters:
    ///   - seconds: A time; a negative time is written as 0.
    ///   - alwaysHours: Whether to write hours even if they are 0.
    ///   - decimalMark: The character before the milliseconds.
    public static func format(_ seconds: Double, alwaysHours: Bool = false, decimalMark: String = ".") -> String {
        let (wholeSeconds, fraction) = milliseconds(seconds).quotientAndRemainder(dividingBy: 1000)
        let (wholeMinutes, second) = wholeSeconds.quotientAndRemainder(dividingBy: 60)
        let (hour, minute) = wholeMinutes.quotientAndRemainder(dividingBy: 60)
        let hours = alwaysHours || hour > 0 ? padded(hour, to: 2) + ":" : ""
        return hours + padded(minute, to: 2) + ":" + padded(second, to: 2) + decimalMark + padded(fraction, to: 3)
    }

    /// The nearest whole millisecond; 0 for values that do not fit, such as infinity.
    static func milliseconds(_ seconds: Double) -> Int {
        Int(exactly: (seconds * 1000).rounded(.toNearestOrEven)).map { max(0, $0) } ?? 0
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
