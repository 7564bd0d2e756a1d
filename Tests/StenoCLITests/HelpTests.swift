import ArgumentParser
import StenoTestSupport
import Testing

@testable import StenoCLI

/// The help is as committed in `Tests/Fixtures/help`.
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
        let help = StenoCommand.helpMessage(for: command, columns: 100)
        #expect(try HelpSnapshot.committed(name, replacing: help) == help)
    }
}
