import Foundation
import StenoTestSupport
import Testing

/// A row of the tables of `Documentation/Reference/Options.md` that list faster-whisper's options and Steno's own.
struct OptionRow: Sendable, CustomTestStringConvertible {
    /// The table's heading, such as `WhisperModel.transcribe`.
    let table: String
    let option: String
    let defaultValue: String
    let swift: String
    let command: String

    var testDescription: String { "\(table) \(option)" }
    /// The command's option, such as `--beam-size`; nil where there is none.
    var commandOption: String? { Self.quoted(command).first { $0.hasPrefix("--") } }

    /// The rows of all tables with five columns, in order.
    static func all() throws -> [OptionRow] {
        let file = Fixtures.folder.appendingPathComponent("../../Documentation/Reference/Options.md")
        var table = ""
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            if line.hasPrefix("## ") {
                table = line.dropFirst(3).filter { $0 != "`" }
                return nil
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, let option = quoted(cells[0]).first else { return nil }
            return OptionRow(
                table: table, option: option, defaultValue: quoted(cells[1]).first ?? "", swift: cells[2],
                command: cells[3])
        }
    }

    /// The text between backquotes.
    private static func quoted(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
            $0.offset % 2 == 1 ? String($0.element) : nil
        }
    }
}

/// faster-whisper's own list, from `Tools/goldens/list_reference_options.py`.
struct ReferenceOptions: Decodable {
    /// Options by table, with their defaults; nil where one must be given.
    let tables: [String: [String: String?]]

    static func load() throws -> ReferenceOptions {
        let data = try Data(contentsOf: Fixtures.file("options/faster-whisper.json"))
        return try JSONDecoder().decode(ReferenceOptions.self, from: data)
    }

    /// The options that the table of that name must list.
    func required(_ table: String) -> [String: String?] {
        let all = tables[table] ?? [:]
        guard table == "BatchedInferencePipeline.transcribe" else { return all }
        return all.filter { tables["WhisperModel.transcribe"]?[$0.key] != .some($0.value) }
    }
}
