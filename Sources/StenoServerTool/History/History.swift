#if Server
    import ArgumentParser
    import StenoCommandLine

    /// `steno history`: the transcripts saved by `steno live --save-history` and `steno captions --save-history`.
    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history",
            abstract: ServerAbstract.history,
            discussion: """
                  steno live --save-history                  save the text from now on
                  steno history list                         list the sessions, newest first
                  steno history show last                    print the text of the last one
                  steno history search quarterly numbers     find these words
                  steno history export 3f2a -o meeting.srt   write it in any format
                  steno history delete 3f2a                  delete a session for good
                  steno history prune --older-than 90d       delete older sessions

                Steno saves nothing unless you pass --save-history. Name a session by the first characters of its id, \
                as list shows it, or by the word last. The history is in $STENO_HISTORY, or else in \
                ~/.local/share/steno/history (Library/Application Support/Steno/History on Apple systems). It is \
                encrypted if it was created with a key ($STENO_HISTORY_KEY_FILE) or a passphrase \
                ($STENO_HISTORY_PASSPHRASE).
                """,
            subcommands: [
                HistoryList.self, HistoryShow.self, HistorySearch.self, HistoryExport.self, HistoryDelete.self,
                HistoryPrune.self, HistoryRecord.self,
            ])
    }
#endif
