import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoTestSupport
import Testing

@testable import StenoCLI

/// Every row of `Documentation/Reference/Options.md`, on the nano model.
@Suite(.serialized) struct OptionTableTests {
    private static let rows = (try? OptionRow.all()) ?? []
    private static let nano = Task { try await Transcriber.load(Fixtures.nano) }
    private static let sentence = Fixtures.file("sounds/norway.wav")
    private let tool = StenoTool(environment: [
        "STENO_MODEL": Fixtures.nano.path, "STENO_MODELS": Fixtures.nano.deletingLastPathComponent().path,
    ])

    @Test func everyOptionOfFasterWhisperHasARowWithItsDefault() throws {
        let reference = try ReferenceOptions.load()
        for table in reference.tables.keys {
            let rows = Self.rows.filter { $0.table == table }
            let listed = Dictionary(rows.map { ($0.option, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
            #expect(listed.count == rows.count, "\(table) names an option twice")
            #expect(listed == reference.required(table).mapValues { $0 ?? "" }, "\(table)")
        }
    }

    @Test func rowsAndTestsCorrespond() {
        #expect(Set(Self.rows.map(\.testDescription)) == Set(OptionCase.all.keys))
    }

    @Test(arguments: rows) func theRowIsTrue(row: OptionRow) async throws {
        let it = try #require(OptionCase.all[row.testDescription])
        switch it {
        case .absent: #expect(row.command == "–")
        case .likeTranscribe:
            #expect(Self.rows.contains { $0.table == "WhisperModel.transcribe" && $0.command == row.command })
        case .said(let line, let text):
            let arguments = line.split(separator: " ").map { $0 == "SPEECH" ? Self.sentence.path : String($0) }
            if let option = row.commandOption { #expect(arguments.contains(option)) }
            let result = try tool.start(arguments).wait()
            let isMessage = result.code != 0 || arguments.contains { ["--verbose", "--log-progress"].contains($0) }
            #expect((isMessage ? result.errors : result.output).contains(text), "\(result.output)\(result.errors)")
        case .same(let value, let context, let isAudible, let change):
            let arguments = context + [try #require(row.commandOption)] + [value].compactMap(\.self)
            let without = try options(context)
            var with = without
            change(&with)
            #expect(with != without)
            #expect(try options(arguments) == with)
            if isAudible { #expect(try await hear(with) != heard(in: context), "the option changes nothing") }
            // The command gives what it has read to the library, whichever option it was.
            guard isLong || row.table == "Steno's own" else { return }
            let quiet = ["transcribe", Self.sentence.path, "--output-format", "json", "--quiet"]
            let result = try tool.start(quiet + arguments).wait()
            #expect(result.errors == "")
            #expect(try await result.output == hear(with))
        }
    }

    private func options(_ arguments: [String]) throws -> TranscriptionOptions {
        let command = try StenoCommand.parseAsRoot(["transcribe", "a.wav"] + arguments)
        return try #require(command as? Transcribe).options()
    }

    private func hear(_ options: TranscriptionOptions) async throws -> String {
        let transcript = try await Self.nano.value.transcribe(file: Self.sentence, options: options)
        return TranscriptFormat.json.text(of: transcript)
    }

    /// The text in a context without any other option, cached because many rows share contexts.
    private func heard(in context: [String]) async throws -> String {
        if let known = Self.contexts.all.first(where: { $0.context == context }) { return known.text }
        let text = try await hear(options(context))
        Self.contexts.add((context, text))
        return text
    }

    private static let contexts = Recorder<(context: [String], text: String)>()
}
