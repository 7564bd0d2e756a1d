import ArgumentParser
package import Foundation
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

/// Paths as users type them.
package enum LocalFile {
    package static func url(_ path: String) -> URL { URL(fileURLWithPath: literal(path)) }

    /// A path that Foundation takes literally.
    ///
    /// The shell expands `~`, except in quotes and after `=`. So `~/talk.wav` refers to a folder called `~` if there is
    /// one, and to the home folder otherwise; Foundation would never find the former.
    package static func literal(_ path: String) -> String {
        guard path.hasPrefix("~") else { return path }
        let first = path.prefix { $0 != "/" }
        let isLiteral = first.count > 1 || access("./~", F_OK) == 0
        return isLiteral ? "./" + path : path
    }
}
