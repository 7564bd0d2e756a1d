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

/// A threshold that `none` turns off.
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
        // Only the last part may have a fraction, no part may have a sign, and only the first may exceed 59.
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

/// The format of raw audio, as ffmpeg names it: `s16le,16000` or `f32le,48000,2`.
struct RawAudio: ExpressibleByArgument, Sendable {
    let format: PCMFormat

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        guard (2...3).contains(parts.count), let encoding = Self.encodings[String(parts[0])],
            let rate = Int(parts[1]), let channels = parts.count == 3 ? Int(parts[2]) : 1,
            let format = try? PCMFormat(encoding, sampleRate: rate, channels: channels)
        else { return nil }
        self.format = format
    }

    static let encodings: [String: PCMFormat.Encoding] = [
        "u8": .uint8, "s16le": .int16, "s16": .int16, "s24le": .int24, "s24": .int24, "s32le": .int32, "s32": .int32,
        "f32le": .float32, "f32": .float32, "f64le": .float64, "f64": .float64,
    ]
}
