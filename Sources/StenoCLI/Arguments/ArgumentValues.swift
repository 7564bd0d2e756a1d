public import ArgumentParser
public import Steno
import StenoEvaluation

extension Precision: ExpressibleByArgument {}
extension TranscriptionTask: ExpressibleByArgument {}
extension TextNormalization: ExpressibleByArgument {}
extension VoiceActivityOptions.Detector: ExpressibleByArgument {}

/// A list in one argument, such as `0,0.2,0.4`; an empty argument is an empty list.
struct CommaSeparated<Value: LosslessStringConvertible & Sendable>: ExpressibleByArgument, Sendable {
    var values: [Value]

    init(_ values: [Value]) { self.values = values }

    init?(argument: String) {
        let parts = argument.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        values = parts.compactMap { Value(String($0)) }
        guard values.count == parts.count else { return nil }
    }

    var defaultValueDescription: String { values.map { "\($0)" }.joined(separator: ",") }
}

/// A threshold that `none` switches off.
struct Threshold: ExpressibleByArgument, Sendable {
    var value: Double?

    init(_ value: Double?) { self.value = value }

    init?(argument: String) {
        value = Double(argument)
        guard value?.isFinite ?? (argument == "none") else { return nil }
    }

    var defaultValueDescription: String { value.map { "\($0)" } ?? "none" }
}

extension AudioContext: ExpressibleByArgument {
    /// Reads `full`, `auto` or a number of positions.
    public init?(argument: String) {
        switch argument {
        case "full": self = .full
        case "auto": self = .automatic
        default:
            guard let positions = Int(argument), positions > 0 else { return nil }
            self = .positions(positions)
        }
    }

    /// The argument that gives this value.
    public var defaultValueDescription: String {
        switch self {
        case .full: "full"
        case .automatic: "auto"
        case .positions(let count): "\(count)"
        }
    }
}
