#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoStore

    struct HistoryArguments: ParsableArguments {
        @Option(
            name: .customLong("history"),
            help: ArgumentHelp(
                "Folder of the history (default: $STENO_HISTORY, or the user's own).", valueName: "folder"))
        var folder: String?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Key file of an encrypted history (default: $STENO_HISTORY_KEY_FILE).", valueName: "file"))
        var keyFile: String?

        @Flag(name: .long, help: "Ask for the passphrase of an encrypted history (default: $STENO_HISTORY_PASSPHRASE).")
        var passphrase = false

        func validate() throws {
            guard !passphrase || keyFile == nil else {
                throw ValidationError("--passphrase and --key-file cannot be combined: use one of them.")
            }
        }

        private var url: URL { folder.map(LocalFile.url) ?? TranscriptStore.standardFolder }

        /// - Parameter creating: Whether to create it, with its key file, if it does not exist.
        func open(creating: Bool = false) async throws -> TranscriptStore {
            guard creating || TranscriptStore.exists(url) else {
                throw StenoError(
                    .sessionNotFound, "There is no history in \(url.path). Start one with steno live --save-history.")
            }
            return try await .open(url, key: key(creating: creating && !TranscriptStore.exists(url)))
        }

        private func key(creating: Bool) throws -> StoreKey {
            if passphrase { return try .passphrase(Self.passphrase(isNew: creating)) }
            if let keyFile { return try .file(LocalFile.url(keyFile), creating: creating) }
            let environment = ProcessInfo.processInfo.environment
            if let file = environment.path("STENO_HISTORY_KEY_FILE") { return try .file(file, creating: creating) }
            if let text = environment["STENO_HISTORY_PASSPHRASE"], !text.isEmpty { return .passphrase(text) }
            return .none
        }

        /// Asks for the passphrase, twice for a new history, because a typo would lock it for good.
        ///
        /// - Parameter ask: Asks on the terminal without echoing the input; returns nil without a terminal.
        static func passphrase(
            isNew: Bool, ask: (_ prompt: String) -> String? = { getpass($0).map { String(cString: $0) } }
        ) throws -> String {
            let prompts = isNew ? ["Passphrase of the new history", "Type it again"] : ["Passphrase"]
            let typed = try prompts.map { prompt in
                guard let text = ask("steno: \(prompt): ") else {
                    throw StenoError(
                        .invalidOption, "There is no terminal to ask for the passphrase: set STENO_HISTORY_PASSPHRASE.")
                }
                return text
            }
            guard typed.allSatisfy({ $0 == typed[0] }) else {
                throw StenoError(
                    .invalidOption,
                    "The two passphrases differ, so no history was created. Try again and type the same one twice.")
            }
            return typed[0]
        }
    }
#endif
