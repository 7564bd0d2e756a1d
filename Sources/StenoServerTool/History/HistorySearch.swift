#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoStore

    struct HistorySearch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search", abstract: "Find words in all sessions, best match first.",
            discussion: """
                  steno history search quarterly numbers
                  steno history search '"quarterly numbers"'

                Case, accents and word endings do not matter. Words in quotation marks must be next to each other. All \
                words must be in one utterance. The exit code is 1 if nothing was found.
                """)

        @Argument(help: ArgumentHelp("The words to find.", valueName: "word")) var words: [String]

        @Option(name: .long, help: ArgumentHelp("Maximum number of matches.", valueName: "n")) var limit = 20

        @Flag(name: .long, help: "Write JSON.") var json = false

        @OptionGroup(title: "History") var history: HistoryArguments

        func validate() throws { if limit < 1 { throw ValidationError("--limit must be 1 or more.") } }

        func run() async throws {
            try await CommandRun.run { [self] console in
                let store = try await history.open()
                let hits = try await store.search(words.joined(separator: " "), limit: limit)
                let sessions = try await store.sessions()
                // Ids that differ only in case are one id here.
                let names = Dictionary(sessions.map { ($0.id, $0) }) { first, _ in first }
                let places = hits.compactMap { hit in names[hit.session].map { FoundPlace(hit, $0) } }
                if json {
                    console.print(JSONOutput.text(places) + "\n")
                } else {
                    console.draw(places.map(\.line).joined())
                }
                return hits.isEmpty ? 1 : 0
            }
        }
    }

    /// A match, in JSON and as a line.
    struct FoundPlace: Encodable {
        let session: String
        let title: String
        let start: Double
        let segment: Int
        let excerpt: [SearchHit.Part]
        private let date: String

        private enum CodingKeys: CodingKey { case session, title, start, segment, excerpt }

        init(_ hit: SearchHit, _ stored: StoredSession) {
            session = stored.id.uuidString.lowercased()
            title = stored.title
            (start, segment, excerpt) = (hit.start, hit.segment, hit.excerpt)
            date = SessionTime.date(stored.start)
        }

        /// The line, with the words in bold on a terminal (ECMA-48).
        var line: String {
            let isTerminal = StandardStream.output.canErase
            let text = excerpt.map { part in
                let text = TerminalText.line(part.text)
                return part.isMatch && isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text
            }.joined()
            return "\(session.prefix(8))  \(date)  \(SessionTime.duration(start))  \(text.trimmingPrefix(" "))\n"
        }
    }
#endif
