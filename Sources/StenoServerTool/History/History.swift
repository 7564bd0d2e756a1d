#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoStore

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: ServerAbstract.history,
            discussion: """
                  steno live --save-history                  save the text from now on
                  steno history list                         list the sessions, newest first
                  steno history show last                    print the text of the last one
                  steno history search quarterly numbers     find these words
                  steno history export 3f2a -o meeting.srt   write it in any format
                  steno history delete 3f2a                  delete a session for good
                  steno history prune --older-than 90d       delete older sessions

                Steno saves nothing unless you pass --save-history. Name a session by the first characters of its id, \
                as list shows it, or by the word last. The history is in $STENO_HISTORY, or else in steno/history in \
                $XDG_DATA_HOME or ~/.local/share (Library/Application Support/Steno/History on Apple systems). It is \
                encrypted if it was created with a key ($STENO_HISTORY_KEY_FILE) or a passphrase \
                ($STENO_HISTORY_PASSPHRASE).
                """,
            subcommands: [
                HistoryList.self, HistoryShow.self, HistorySearch.self, HistoryExport.self, HistoryDelete.self,
                HistoryPrune.self, HistoryRecord.self,
            ])
    }

    /// `steno history list`: the sessions, newest first.
    struct HistoryList: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the sessions, newest first.")

        @Flag(name: .long, help: "Write JSON.") var json = false

        @OptionGroup(title: "History") var history: HistoryArguments

        func run() async throws {
            try await CommandRun.run { [json, history] console in
                let sessions = try await history.open().sessions()
                console.print(json ? JSONOutput.text(sessions.map(SessionSummary.init)) + "\n" : Self.table(sessions))
                return 0
            }
        }

        static func table(_ sessions: [StoredSession]) -> String {
            TextTable.text(
                sessions.map { session in
                    [
                        SessionName.short(session.id), SessionTime.date(session.start),
                        SessionTime.duration(session.duration), session.state.rawValue,
                        TerminalText.line(session.language ?? ""),
                        TerminalText.line(session.title.isEmpty ? session.source : session.title),
                    ]
                }, rightAligned: [2])
        }
    }

    struct SessionSummary: Encodable {
        let id: String
        let title: String
        let source: String
        let start: String
        let end: String?
        let duration: Double
        let language: String?
        let model: String?
        let state: String
        let segments: Int

        init(_ session: StoredSession) {
            id = session.id.uuidString.lowercased()
            (title, source) = (session.title, session.source)
            start = session.start.ISO8601Format()
            end = session.end?.ISO8601Format()
            duration = session.duration
            (language, model, state) = (session.language, session.model, session.state.rawValue)
            segments = session.segmentCount
        }
    }

    struct HistoryShow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the text of a session, one utterance per line.")

        @Argument(help: ArgumentHelp("The first characters of the session's id, or last.", valueName: "session"))
        var name = "last"

        @Flag(inversion: .prefixedNo, help: "Print [start --> end] before each line.") var timestamps = false

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

    /// Finds sessions by the first characters of their id, or by `last`.
    enum SessionName {
        /// The short id that `steno history list` shows.
        static func short(_ id: UUID) -> String { String(id.uuidString.lowercased().prefix(8)) }

        /// - Throws: `StenoError`: `sessionNotFound`; `invalidOption` if several sessions match.
        static func find(_ name: String, in sessions: [StoredSession]) throws -> StoredSession {
            if name.lowercased() == "last", let newest = sessions.first { return newest }
            let found = sessions.filter { !name.isEmpty && $0.id.uuidString.lowercased().hasPrefix(name.lowercased()) }
            guard let session = found.first else {
                throw StenoError(.sessionNotFound, "There is no session \(name). Run steno history list for a list.")
            }
            guard found.count == 1 else {
                let names = found.prefix(5).map { short($0.id) }.joined(separator: ", ")
                throw StenoError(
                    .invalidOption, "The ids of several sessions begin with \(name): \(names). Type more characters.")
            }
            return session
        }
    }

    /// Times of sessions for people to read, in this machine's time zone.
    enum SessionTime {
        /// To the minute, for lists: `2026-11-22 16:40`.
        static func date(_ date: Date) -> String { format(date, "yyyy-MM-dd HH:mm") }

        /// To the minute, for file names: `2026-11-22-1640`.
        static func fileName(_ date: Date) -> String { format(date, "yyyy-MM-dd-HHmm") }

        /// Hours, minutes and seconds: `1:02:03`.
        static func duration(_ seconds: Double) -> String {
            let whole = Int(seconds.rounded())
            return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
        }

        private static func format(_ date: Date, _ pattern: String) -> String {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = pattern
            return formatter.string(from: date)
        }
    }
#endif
