#if Server
    import ArgumentParser
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoServerTool

    /// Snapshots of the help of what `steno-server` does, as HelpTests has those of `steno`.
    @Suite("Help of the server and the history")
    struct ServerHelpTests {
        private static let commands: [(String, any ParsableCommand.Type)] = [
            ("steno-serve", Serve.self), ("steno-captions", Captions.self), ("steno-history", History.self),
            ("steno-history-list", HistoryList.self), ("steno-history-show", HistoryShow.self),
            ("steno-history-search", HistorySearch.self), ("steno-history-export", HistoryExport.self),
            ("steno-history-delete", HistoryDelete.self), ("steno-history-prune", HistoryPrune.self),
            ("steno-history-record", HistoryRecord.self),
        ]

        @Test(arguments: commands.indices)
        func helpIsAsCommitted(index: Int) throws {
            let (name, command) = Self.commands[index]
            let help = ServerCommand.helpMessage(for: command, columns: 100)
            #expect(try HelpSnapshot.committed(name, replacing: help) == help)
        }
    }
#endif
