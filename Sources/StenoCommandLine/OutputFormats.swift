import ArgumentParser
import Foundation
package import Steno

/// Output formats as the command line names them: one, a list, or `all`.
package struct OutputFormats: ExpressibleByArgument {
    package let values: [TranscriptFormat]

    package init?(argument: String) {
        let names = argument.lowercased().split(separator: ",").map { $0.trimmingPrefix { $0 == " " || $0 == "." } }
        guard !names.isEmpty else { return nil }
        var values: [TranscriptFormat] = []
        for name in names {
            if name == "all" {
                values += TranscriptFormat.texts
            } else if let format = TranscriptFormat(rawValue: Self.aliases[String(name)] ?? String(name)) {
                values.append(format)
            } else {
                return nil
            }
        }
        self.values = values
    }

    package static var allValueStrings: [String] { TranscriptFormat.allCases.map(\.rawValue) + ["all"] }

    private static let aliases = ["text": "txt", "webvtt": "vtt", "subrip": "srt"]
}
