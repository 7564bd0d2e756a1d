#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoStore

    /// `steno history list`: the sessions, newest first.
    struct HistoryList: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the sessions, newest first.")

        @Flag(name: .long, help: "Write JSON.")
        var json = false

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

    /// A session in JSON.
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
#endif
