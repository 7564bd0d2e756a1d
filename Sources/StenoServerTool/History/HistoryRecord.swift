#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoStore

    /// `steno history record`: reads the events of a live session as lines of JSON, and stores them.
    ///
    /// `steno live --save-history` starts it, so that a command that only transcribes links no database. It ends with
    /// its input; if the input lacks the end of the session, as when `steno live` was killed, the session was
    /// interrupted. It writes the session's id to standard output, and a line for each failure to standard error.
    struct HistoryRecord: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "record", abstract: "Store the events of a live session.", shouldDisplay: false)

        @Option(name: .long) var title = ""
        @Option(name: .long) var source = ""
        @Option(name: .long) var language: String?
        @Option(name: .long) var model: String?

        @OptionGroup var history: HistoryArguments

        func run() async throws {
            // Signals from a terminal are for `steno live`; when it ends, so does the input.
            for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
            do {
                let store = try await history.open(creating: true)
                if try await record(into: store) { return }
            } catch { Self.report(error) }
            throw ExitCode.failure
        }

        /// Reads standard input to its end; returns whether everything is stored.
        ///
        /// The session begins with its first audio, so that one which fails to start leaves nothing.
        private func record(into store: TranscriptStore) async throws -> Bool {
            var recorder: EventRecorder?
            var lines = InputLines()
            while let line = try await lines.next() {
                // A newer steno may have events that this program does not know.
                guard let event = try? TranscriptionEvent(jsonLine: line) else { continue }
                if recorder == nil, event.position > 0 || event.kind == .final {
                    let writer = try await store.begin(title: title, source: source, language: language, model: model)
                    StandardStream.output.write(writer.id.uuidString.lowercased() + "\n")
                    recorder = EventRecorder(writer) { Self.report($0) }
                }
                await recorder?.take(event)
            }
            return await recorder?.finish() ?? true
        }

        private static func report(_ error: any Error) {
            StandardStream.error.write(TerminalText.line(error.sentence) + "\n")
        }
    }

    /// The lines of standard input, read on a separate thread.
    private struct InputLines {
        private var unread: [String] = []
        private var rest: [UInt8] = []
        private var isAtEnd = false

        /// The next line, or nil at the end; text after the last line break is incomplete and dropped.
        mutating func next() async throws -> String? {
            while unread.isEmpty {
                if isAtEnd { return nil }
                let bytes = try await Worker.run("steno.history", stack: .shallow) { _ in
                    var buffer = [UInt8](repeating: 0, count: 1 << 16)
                    let count = retrying { read(STDIN_FILENO, &buffer, buffer.count) }
                    return Array(buffer.prefix(max(0, count)))
                }
                isAtEnd = bytes.isEmpty
                take(bytes)
            }
            return unread.removeFirst()
        }

        private mutating func take(_ bytes: [UInt8]) {
            var parts = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(parts.removeLast())
            unread = parts.map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif
