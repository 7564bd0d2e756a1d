#if Server
    import ArgumentParser
    import Steno
    import StenoCommandLine
    import StenoStore

    /// `steno history show`: the text of a session.
    struct HistoryShow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the text of a session, one utterance per line.")

        @Argument(help: ArgumentHelp("The first characters of the session's id, or last.", valueName: "session"))
        var name = "last"

        @Flag(inversion: .prefixedNo, help: "Print [start --> end] before each line.")
        var timestamps = false

        @OptionGroup(title: "History") var history: HistoryArguments

        func run() async throws {
            try await CommandRun.run { [name, timestamps, history] console in
                let store = try await history.open()
                let session = try SessionName.find(name, in: await store.sessions())
                let transcript = try await store.transcript(of: session.id)
                for segment in transcript.segments { console.print(Self.line(segment, timestamps: timestamps)) }
                let partial = TerminalText.line(try await store.partialText(of: session.id))
                if session.state == .interrupted {
                    console.remark(
                        "The session was interrupted."
                            + (partial.isEmpty ? "" : " The last text was not final:\(partial)"))
                }
                return 0
            }
        }

        static func line(_ segment: Segment, timestamps: Bool) -> String {
            let times = "[\(Timestamp.format(segment.start)) --> \(Timestamp.format(segment.end))] "
            let speaker = segment.speaker.map { $0 + ": " } ?? ""
            return (timestamps ? times : "") + TerminalText.line(speaker + segment.text.trimmingPrefix(" ")) + "\n"
        }
    }
#endif
