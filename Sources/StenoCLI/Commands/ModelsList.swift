import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// `steno models list`: lists every model that can be found by name, or every name that can be downloaded.
struct ModelsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models on this machine, or the models to download.",
        discussion: """
              steno models list
              steno models list --available

            Sizes of models that are not on this machine are approximate.
            """)

    @Flag(help: "List the models that you can download by name.") var available = false
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await CommandRun.run { [available, json] console in
            let text = try await Worker.run("steno.models", stack: .shallow) { _ in
                let installed = InstalledRow.all()
                guard available else { return json ? JSONOutput.text(installed) + "\n" : Self.table(installed) }
                let rows = AvailableRow.all(installed: installed)
                return json ? JSONOutput.text(rows) + "\n" : Self.table(rows)
            }
            console.print(text)
            if !available, !json, StandardStream.output.isTerminal {
                console.remark("Run steno models list --available to see the models you can download.")
            }
            return 0
        }
    }

    private static func table(_ rows: [InstalledRow]) -> String {
        TextTable.text(
            rows.map { row in
                [
                    row.name, row.origin.label, "\(ByteCount(row.bytes))", row.languages.map(languages) ?? "",
                    row.license ?? "", row.path,
                ]
            }, rightAligned: [2])
    }

    private static func languages(_ count: Int) -> String { count == 1 ? "English" : "\(count) languages" }

    private static func table(_ rows: [AvailableRow]) -> String {
        let table = TextTable.text(
            rows.map { row in
                [
                    ([row.name] + row.aliases).joined(separator: ", "), "\(ByteCount(row.approximateBytes))",
                    languages(row.languages), ([row.license] + [row.credit].compactMap { $0 }).joined(separator: ", "),
                    row.repository, row.isInstalled ? "installed" : "",
                ]
            }, rightAligned: [1])
        return table
            + "\nDownload one: steno models download small. Any repository of the Hugging Face hub with a model of "
            + "these\nfamilies works too (owner/name), and a file of whisper.cpp: ggml-base-q5_1.bin.\n"
    }
}

struct InstalledRow: Encodable {
    var name: String
    var origin: LocatedModel.Origin
    var bytes: Int
    /// The number of its languages; nil if it is not certain which model it is.
    var languages: Int?
    var license: String?
    var path: String

    static func all() -> [InstalledRow] {
        let locator = ModelLocator()
        let models = locator.all()
        return models.map { model in
            // The short name, if it leads to the same model.
            let short = ModelCatalog.model(inRepository: model.name)?.name
            let isSame = short.flatMap { try? locator.locate($0).folder.path } == model.folder.path
            let known = ModelCatalog.model(of: model)
            return InstalledRow(
                name: isSame ? short ?? model.name : model.name, origin: model.origin, bytes: size(model.folder),
                languages: known?.languageCount, license: known?.license, path: model.folder.path)
        }
    }

    /// The size of a model's files, following links.
    private static func size(_ place: URL) -> Int {
        guard place.isFolder else { return FileBytes.size(place) ?? 0 }
        return place.childNames.compactMap { FileBytes.size(place.appendingPathComponent($0)) }.reduce(0, +)
    }
}

struct AvailableRow: Encodable {
    var name: String
    var aliases: [String]
    var family: String
    var approximateBytes: Int
    var languages: Int
    var melBands: Int?
    var format: String
    var license: String
    var credit: String?
    var repository: String
    var isInstalled: Bool

    static func all(installed: [InstalledRow]) -> [AvailableRow] {
        let names = Set(installed.filter { $0.origin != .bundled }.map(\.name))
        return KnownModel.all.map { model in
            AvailableRow(
                name: model.name, aliases: model.aliases, family: model.family,
                approximateBytes: model.approximateSize, languages: model.languageCount, melBands: model.melBands,
                format: model.format, license: model.license, credit: model.credit, repository: model.repository,
                isInstalled: !names.isDisjoint(with: [model.name, model.repository] + model.aliases))
        }
    }
}

extension LocatedModel.Origin {
    /// The origin, for the table.
    var label: String {
        switch self {
        case .path: "path"
        case .installed: "installed"
        case .application: "application"
        case .huggingFace: "hugging face"
        case .bundled: "bundled"
        }
    }
}
