public import ArgumentParser
public import Steno
public import StenoEvaluation
package import StenoWhisper

extension Precision: ExpressibleByArgument {
    /// Reads the name in any case; `auto` is `automatic`.
    public init?(argument: String) {
        let name = argument.lowercased()
        self.init(rawValue: name == "auto" ? "automatic" : name)
    }
}

extension TranscriptionTask: ExpressibleByArgument {
    /// Reads the name in any case.
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

extension TextNormalization: ExpressibleByArgument {
    /// Reads the name in any case.
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

extension LiveBalance: ExpressibleByArgument {
    /// Reads the name in any case.
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

extension DetectorKind: ExpressibleByArgument {
    /// Reads the name in any case.
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

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
        guard value?.isFinite ?? (argument.lowercased() == "none") else { return nil }
    }

    var defaultValueDescription: String { value.map { "\($0)" } ?? "none" }
}

extension AudioContext: ExpressibleByArgument {
    /// Reads `full`, `auto` or a number of positions.
    package init?(argument: String) {
        switch argument {
        case "full": self = .full
        case "auto": self = .automatic
        default:
            guard let positions = Int(argument), positions > 0 else { return nil }
            self = .positions(positions)
        }
    }

    /// The argument that gives this value.
    package var defaultValueDescription: String {
        switch self {
        case .full: "full"
        case .automatic: "auto"
        case .positions(let count): "\(count)"
        }
    }
}

/// A language, or `auto` to detect it.
struct LanguageChoice: ExpressibleByArgument, Sendable {
    /// The code or the name as it was typed; nil to detect the language.
    let code: String?

    init?(argument: String) { code = ["", "auto", "none"].contains(argument.lowercased()) ? nil : argument }
}
