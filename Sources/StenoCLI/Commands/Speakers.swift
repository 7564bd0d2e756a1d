import ArgumentParser
import Foundation
import Steno
import StenoCommandLine

/// `steno speakers`: voices known by name.
struct Speakers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speakers",
        abstract: "Enroll, list and remove voices, which --speakers labels by name.",
        discussion: """
              steno speakers enroll Ada ada-1.wav ada-2.wav
              steno transcribe meeting.wav --speakers auto
              steno speakers remove Ada

            A voice is biometric data. Steno saves only enrolled voices: the name, 256 numbers (448 with the \
            downloaded networks) and the seconds of speech, no audio, in the file $STENO_SPEAKERS, or else in \
            steno/speakers.json in $XDG_DATA_HOME or ~/.local/share (Library/Application Support/Steno on Apple \
            systems). Only you can read the file. It is not encrypted.
            """,
        subcommands: [SpeakersEnroll.self, SpeakersList.self, SpeakersRemove.self])
}

struct SpeakersEnroll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll",
        abstract: "Learn a person's voice from recordings in which nobody else speaks.",
        discussion: """
            Half a minute of speech is enough; the minimum is five seconds. An existing voice with the same name is \
            replaced. Enroll only people who agree: a voice is biometric data.
            """)

    @Argument(help: .init("The person's name.", valueName: "name")) var name: String
    @Argument(help: .init("Audio or video files; - is standard input.", valueName: "file")) var files: [String]

    func validate() throws { try Inputs.validate(files) }

    func run() async throws {
        try await CommandRun.run { [name, files] console in
            let inputs = files.map(LocalFile.literal)
            let profile = try await SpeakerEnrollment.profile(
                name, from: inputs.map { input in { try Inputs.open(input) } })
            let file = SpeakerProfileFile.standard()
            try file.save(profile)
            console.print("\(name) is enrolled from \(Int(profile.seconds.rounded())) s of speech: \(file.url.path)\n")
            return 0
        }
    }
}

struct SpeakersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the enrolled voices.")

    @Flag(help: "Write JSON.") var json = false

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

struct SpeakersRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove enrolled voices; removing the last one deletes the file.")

    @Argument(help: .init("Names of enrolled voices.", valueName: "name")) var names: [String]

    func run() async throws {
        try await CommandRun.run { [names] console in
            try await Inputs.forEach(names, console) { name in
                guard try SpeakerProfileFile.standard().remove(name) else {
                    throw StenoError(
                        .invalidOption, "No voice called \(name) is enrolled. Run steno speakers list for a list.")
                }
                console.print("\(name) is removed\n")
            }
        }
    }
}
