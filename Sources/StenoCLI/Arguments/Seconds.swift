import ArgumentParser

/// A time or a duration: seconds (`90`, `1.5`), minutes and seconds (`1:30`), or with hours (`1:02:03.5`).
struct Seconds: ExpressibleByArgument, LosslessStringConvertible, Sendable, Hashable {
    var value: Double

    init(_ value: Double) { self.value = value }

    init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, let last = parts.last, let seconds = Double(last), seconds.isFinite else { return nil }
        guard parts.count > 1 else {
            value = seconds
            return
        }
        // The last part may have a fraction, no part a sign, and only the first more than sixty.
        guard last.first?.isNumber == true, seconds < 60 else { return nil }
        var whole = 0.0
        for (index, part) in parts.dropLast().enumerated() {
            guard part.allSatisfy(\.isNumber), let number = Double(part), index == 0 || number < 60 else { return nil }
            whole = whole * 60 + number
        }
        value = whole * 60 + seconds
    }

    init?(argument: String) { self.init(argument) }

    var description: String { "\(value)" }
    var defaultValueDescription: String { description }
}
