import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// `steno models size`: how much room the models take.
struct ModelsSize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "size",
        abstract: "Show how much disk space the downloaded models use.",
        discussion: """
            Files that several models share are counted once in the total.
            """)

    @Flag(name: .long, help: "Write JSON.")
    var json = false

    func run() async throws {
        try await CommandRun.run { [json] console in
            let report = try await Worker.run("steno.size", stack: .shallow) { _ in SizeReport(ModelStore()) }
            console.print(json ? report.json + "\n" : report.table)
            return 0
        }
    }
}

/// The sizes of the models folder.
struct SizeReport: Encodable {
    struct Row: Encodable {
        var name: String
        var bytes: Int
    }

    var folder: String
    var models: [Row]
    /// Downloads that have not ended.
    var unfinished: [Row]
    var bytes: Int

    init(_ store: ModelStore) {
        folder = store.folder.path
        models = store.models.map { Row(name: $0.name, bytes: $0.size) }
        unfinished = store.partials.map { Row(name: $0.name, bytes: $0.size) }
        bytes = store.size
    }

    var json: String { JSONOutput.text(self) }

    var table: String {
        let rows =
            models.map { [$0.name, "\(ByteCount($0.bytes))", ""] }
            + unfinished.map { [$0.name, "\(ByteCount($0.bytes))", "unfinished: steno models download continues it"] }
        return TextTable.text(rows + [["total", "\(ByteCount(bytes))", folder]], rightAligned: [1])
    }
}
