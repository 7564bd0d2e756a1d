#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoStore

    struct HistoryDelete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete sessions and their audio, and erase them from the files.")

        @Argument(help: ArgumentHelp("The first characters of the ids of sessions, or last.", valueName: "session"))
        var names: [String]

        @OptionGroup(title: "History") var history: HistoryArguments

        func run() async throws {
            try await CommandRun.run { [names, history] console in
                let store = try await history.open()
                let sessions = try await store.sessions()
                let chosen = try names.map { try SessionName.find($0, in: sessions) }
                try await store.delete(chosen.map(\.id))
                console.print(HistoryPrune.report(chosen))
                return 0
            }
        }
    }

    struct HistoryPrune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune", abstract: "Delete all sessions that ended before a certain time.",
            discussion: """
                  steno history prune --older-than 90d --dry-run
                  steno history prune --older-than 90d
                """)

        @Option(
            name: .long,
            help: ArgumentHelp("An age in hours, days, weeks or years: 12h, 90d, 6w, 1y.", valueName: "age"))
        var olderThan: Age

        @Flag(name: .long, help: "List the sessions that would be deleted, without deleting them.")
        var dryRun = false

        @OptionGroup(title: "History") var history: HistoryArguments

        func run() async throws {
            try await CommandRun.run { [olderThan, dryRun, history] console in
                let store = try await history.open()
                let date = Date(timeIntervalSinceNow: -olderThan.seconds)
                if dryRun {
                    console.print(HistoryList.table(try await store.sessions(endedBefore: date)))
                } else {
                    console.print(Self.report(try await store.deleteSessions(endedBefore: date)))
                }
                return 0
            }
        }

        static func report(_ sessions: [StoredSession]) -> String {
            sessions.map { "deleted \(SessionName.short($0.id)) of \(SessionTime.date($0.start))\n" }.joined()
        }
    }

    /// An age: `90d`, `12h`, `6w`, `1y`.
    struct Age: ExpressibleByArgument, Sendable, Hashable {
        let seconds: Double

        init?(argument: String) {
            guard let seconds = TimeSpan.seconds(argument, Self.units) else { return nil }
            self.seconds = seconds
        }

        private static let units: [Character: Double] = ["h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400]
    }
#endif
