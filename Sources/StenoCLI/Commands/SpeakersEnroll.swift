import ArgumentParser
import Foundation
import Steno
import StenoCommandLine

/// `steno speakers enroll`: learns a voice from recordings of one person.
struct SpeakersEnroll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll",
        abstract: "Learn a person's voice from recordings in which nobody else speaks.",
        discussion: """
            Half a minute of speech is enough; the minimum is five seconds. An existing voice with the same name is \
            replaced. Enroll only people who agree: a voice is biometric data.
            """)

    @Argument(help: ArgumentHelp("The person's name.", valueName: "name"))
    var name: String

    @Argument(help: ArgumentHelp("Audio or video files; - is standard input.", valueName: "file"))
    var files: [String]

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
