#if Server
    import ArgumentParser

    /// `steno history`: the transcripts that `steno live --save-history` has kept.
    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history",
            abstract: "List, show, search, export and delete kept transcripts.",
            discussion: """
                  steno live --save-history                  keep what is said from now on
                  steno history list                         list the sessions, the newest first
                  steno history show last                    print the text of the last one
                  steno history search quarterly numbers     find what was said
                  steno history export 3f2a -o meeting.srt   write it in any format
                  steno history delete 3f2a                  delete a session for good
                  steno history prune --older-than 90d       delete what is older

                Nothing is kept until --save-history asks for it. A session is named by the first letters of its \
                identity, as list shows it, or by the word last. The history is in $STENO_HISTORY, or else in \
                ~/.local/share/steno/history (Library/Application Support/Steno/History on Apple systems). It is \
                encrypted if it was begun with a key ($STENO_HISTORY_KEY_FILE) or a passphrase \
                ($STENO_HISTORY_PASSPHRASE).
                """,
            subcommands: [
                HistoryList.self, HistoryShow.self, HistorySearch.self, HistoryExport.self, HistoryDelete.self,
                HistoryPrune.self, HistoryRecord.self,
            ])
    }
#endif
