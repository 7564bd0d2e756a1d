import ArgumentParser
import Steno
import StenoCommandLine

/// `steno speakers list`: the voices that are enrolled.
struct SpeakersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the enrolled voices.")

    @Flag(name: .long, help: "Write JSON.")
    var json = false

    private struct Row: Encodable {
        let name: String
        let seconds: Double
    }

    func run() async throws {
        try await CommandRun.run { [json] console in
            let rows = try SpeakerProfileFile.standard().profiles().map { Row(name: $0.name, seconds: $0.seconds) }
            if json {
                console.print(JSONOutput.text(rows) + "\n")
            } else if rows.isEmpty {
                console.remark("No voices are enrolled. Enroll one: steno speakers enroll NAME FILE")
            } else {
                console.print(
                    TextTable.text(
                        rows.map { [$0.name, "\(Int($0.seconds.rounded())) s of speech"] }, rightAligned: [1]))
            }
            return 0
        }
    }
}
