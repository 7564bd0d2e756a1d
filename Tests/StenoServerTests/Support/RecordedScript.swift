#if Server
    import Foundation
    import StenoTestSupport
    import Testing

    /// A committed script: each line after `>` goes in, and the lines after `<` are all that comes out.
    struct RecordedScript: Sendable, CustomTestStringConvertible {
        struct UnknownCommand: Error { let text: String }

        let file: URL
        var testDescription: String { file.deletingPathExtension().lastPathComponent }

        /// The scripts in a folder of the fixtures, without those in its own folders; if there are none, one that cannot be
        /// read, so that the test fails.
        static func all(in folder: String) -> [Self] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.file(folder).path)) ?? []
            let scripts = names.filter { $0.contains(".") }.sorted()
            return (scripts.isEmpty ? ["none"] : scripts).map { Self(file: Fixtures.file("\(folder)/\($0)")) }
        }

        func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

        /// The script, and the same with what comes out now.
        func play(_ answer: (String) throws -> [String]) throws -> (committed: String, played: String) {
            var played: [String] = []
            for line in try text().components(separatedBy: "\n") where !line.hasPrefix("< ") {
                played.append(line)
                if line.hasPrefix("> ") { played += try answer(String(line.dropFirst(2))).map { "< " + $0 } }
            }
            return try compared(with: played.joined(separator: "\n"))
        }

        /// The script and another text, which replaces it if `STENO_UPDATE_SNAPSHOTS` is 1.
        func compared(with played: String) throws -> (committed: String, played: String) {
            let committed = try text()
            if ProcessInfo.processInfo.environment["STENO_UPDATE_SNAPSHOTS"] == "1" {
                try Data(played.utf8).write(to: file)
            }
            return (committed, played)
        }
    }
#endif
