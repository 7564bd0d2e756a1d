import ArgumentParser
import Foundation
import StenoTestSupport
import Testing

@testable import StenoCLI

/// Snapshots of the help, one file per command, so that changes are seen in review.
///
/// `STENO_UPDATE_SNAPSHOTS=1 swift test --filter HelpTests` rewrites the files.
@Suite struct HelpTests {
    private static let commands: [(String, any ParsableCommand.Type)] = [
        ("steno", StenoCommand.self), ("steno-transcribe", Transcribe.self),
        ("steno-detect-language", DetectLanguage.self), ("steno-evaluate", Evaluate.self),
        ("steno-live", Live.self), ("steno-bench", Bench.self), ("steno-models", Models.self),
        ("steno-models-list", ModelsList.self), ("steno-models-info", ModelsInfo.self),
        ("steno-models-download", ModelsDownload.self), ("steno-models-verify", ModelsVerify.self),
        ("steno-models-remove", ModelsRemove.self), ("steno-models-size", ModelsSize.self),
        ("steno-models-convert", ModelsConvert.self),
        ("steno-speakers", Speakers.self), ("steno-speakers-enroll", SpeakersEnroll.self),
        ("steno-speakers-list", SpeakersList.self), ("steno-speakers-remove", SpeakersRemove.self),
        ("steno-languages", ListLanguages.self),
    ]

    @Test(arguments: commands.indices)
    func helpIsAsCommitted(index: Int) throws {
        let (name, command) = Self.commands[index]
        let file = Fixtures.file("help/\(name).txt")
        let help = StenoCommand.helpMessage(for: command, columns: 100) + "\n"
        if ProcessInfo.processInfo.environment["STENO_UPDATE_SNAPSHOTS"] == "1" {
            try Data(help.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == help)
    }
}
