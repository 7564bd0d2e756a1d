import ArgumentParser

/// `steno speakers`: voices that are known by name.
struct Speakers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speakers",
        abstract: "Enroll, list and remove voices, which --speakers labels by name.",
        discussion: """
              steno speakers enroll Ada ada-1.wav ada-2.wav
              steno transcribe meeting.wav --speakers auto
              steno speakers remove Ada

            A voice is biometric data. Steno saves only enrolled voices: the name and 256 numbers, no audio, in \
            ~/.local/share/steno/speakers.json (Library/Application Support/Steno on Apple systems), or in the file \
            named by $STENO_SPEAKERS. Only you can read the file. It is not encrypted.
            """,
        subcommands: [SpeakersEnroll.self, SpeakersList.self, SpeakersRemove.self])
}
