import ArgumentParser
import Foundation
import StenoTestSupport
import Testing

@testable import StenoCLI
@testable import StenoCommandLine

/// Commands that are separate programs.
struct ExternalCommandTests {
    @Test func argumentsArePassedOnUnchanged() {
        #expect(ExternalCommand(["serve", "--port", "8080"])?.arguments == ["serve", "--port", "8080"])
        #expect(ExternalCommand(["help", "serve"])?.arguments == ["serve", "--help"])
        #expect(ExternalCommand(["help", "history", "list"])?.arguments == ["history", "list", "--help"])
        #expect(ExternalCommand(["serve.wav"]) == nil && ExternalCommand(["transcribe", "serve"]) == nil)
        #expect(ExternalCommand([]) == nil && ExternalCommand(["help"]) == nil)
    }

    @Test func theMessageAboutAMissingProgramSaysHowToBuildIt() throws {
        let error = #expect(throws: UsageError.self) { try ExternalCommand(["history", "list"])?.run(nil) }
        #expect(error?.message.contains("steno history") == true)
        #expect(error?.message.contains("swift build -c release --traits Server --product steno-server") == true)
    }

    @Test func aFileThatIsNotAProgramIsAnError() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("steno-server")
        try Data().write(to: file)
        let error = #expect(throws: UsageError.self) { try ExternalCommand(["serve"])?.run(file) }
        #expect(error?.message.hasPrefix(file.path) == true)
    }

    /// So do the completions, although another program runs them.
    @Test func theHelpListsExternalCommands() {
        let listed = StenoCommand.configuration.subcommands.map { $0.name }
        for name in ExternalCommand.names { #expect(listed.contains(name), "\(name)") }
    }

    @Test func aMisspelledExternalCommandIsSuggested() {
        let reader = CommandLineReader(root: StenoCommand.self, standard: Transcribe.self, exists: { _ in false })
        #expect(
            throws: UsageError("There is no command steno serv and no file of that name. Did you mean steno serve?")
        ) {
            try reader.read(["serv"])
        }
    }
}
