import ArgumentParser

/// `steno speakers`: voices that are known by name.
struct Speakers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speakers",
        abstract: "Enroll, list and remove voices that --speakers calls by name.",
        discussion: """
              steno speakers enroll Ada ada-1.wav ada-2.wav
              steno transcribe meeting.wav --speakers auto
              steno speakers remove Ada

            A voice is biometric data. Steno keeps none that was not enrolled; of an enrolled one it keeps the name and 256 \
            numbers, no audio, in ~/.local/share/steno/speakers.json (Library/Application Support/Steno on Apple systems, \
            or the file that $STENO_SPEAKERS names), which only you may read. The file is not encrypted.
            """,
        subcommands: [SpeakersEnroll.self, SpeakersList.self, SpeakersRemove.self])
}
