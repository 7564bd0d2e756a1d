#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    typealias Hearing = SecondFamilyModel.Hearing

    /// A history's own folder, removed with the value.
    final class HistoryFolder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("steno-history-\(UUID().uuidString)")

        deinit { try? FileManager.default.removeItem(at: url) }

        func store(_ key: StoreKey = .none) async throws -> TranscriptStore { try await .open(url, key: key) }

        func store(isEncrypted: Bool) async throws -> TranscriptStore {
            try await store(isEncrypted ? .random() : .none)
        }

        /// A session that has begun, in a new history.
        func begun(isEncrypted: Bool = false) async throws -> (store: TranscriptStore, writer: SessionWriter) {
            let store = try await store(isEncrypted: isEncrypted)
            return (store, try await store.begin())
        }

        /// A session being recorded, in a new history unless one is given.
        func recorded(in store: TranscriptStore? = nil) async throws -> RecordedSession {
            let store = if let store { store } else { try await self.store() }
            return RecordedSession(store: store, writer: try await store.begin())
        }

        /// A history whose deletions try twice to empty the log, calling `pause` in between.
        func store(betweenAttempts pause: @escaping @Sendable () async -> Void) async throws -> TranscriptStore {
            try await .open(url, key: .none, logWait: LogWait(attempts: 2, pause: pause))
        }

        func contains(_ text: String) throws -> Bool { try contains(Data(text.utf8)) }

        func contains(_ bytes: Data) throws -> Bool {
            try files().contains { try Data(contentsOf: $0).range(of: bytes) != nil }
        }

        func files() throws -> [URL] {
            let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.allObjects ?? []
            return files.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
        }
    }

    /// A session whose events go to a recorder.
    struct RecordedSession {
        let store: TranscriptStore
        let writer: SessionWriter
        var recorder: EventRecorder
        let failures = Recorder<String>()
        let losses = Recorder<Void>()

        init(store: TranscriptStore, writer: SessionWriter) {
            (self.store, self.writer) = (store, writer)
            recorder = EventRecorder(
                writer, onFailure: { [failures] in failures.add("\($0)") }, onLoss: { [losses] in losses.add(()) })
        }

        var id: UUID { writer.id }

        mutating func take(_ events: TranscriptionEvent...) async {
            for event in events { await recorder.take(event) }
        }

        mutating func finish() async -> Bool { await recorder.finish() }

        func texts() async throws -> [String] { try await store.segments(of: id).map(\.text) }

        func partialText() async throws -> String { try await store.partialText(of: id) }

        func stored() async throws -> StoredSession { try await store.session(id) }
    }

    extension TranscriptionEvent {
        /// A final segment of one word, and the partial one after it.
        static func saying(_ text: String, _ id: Int, partial: String = "") -> Self {
            let rest = partial.isEmpty ? [] : [LiveSegment.saying(partial, id + 1)]
            return Self(.final(text: text, segments: [.saying(text, id)], partials: rest), position: Double(id) + 1)
        }

        /// The removal of the text so far.
        static func cleared(at position: Double) -> Self { Self(.cleared, position: position) }
    }

    extension LiveSegment {
        /// A final segment of one second and one word.
        static func saying(_ text: String, _ id: Int, utterance: Int = 0) -> LiveSegment {
            LiveSegment(
                id: id, start: Double(id), end: Double(id) + 1, text: text, isFinal: true,
                words: [Word(rawText: text, start: Double(id), end: Double(id) + 1, probability: 0.5)],
                utterance: utterance)
        }

        /// A final segment that starts at 10 s times its number, with words of one second.
        static func spoken(_ words: [(text: String, speaker: String?)], _ id: Int, utterance: Int = 0) -> LiveSegment {
            let spoken = words.enumerated().map { index, word in
                let start = Double(id * 10 + index)
                return Word(rawText: word.text, start: start, end: start + 1, probability: 0.5, speaker: word.speaker)
            }
            return LiveSegment(
                id: id, start: Double(id * 10), end: Double(id * 10 + words.count),
                text: words.map { $0.text }.joined(), isFinal: true, words: spoken, utterance: utterance)
        }
    }

    extension TranscriptStore {
        /// Stores a finished session with these texts, each an utterance.
        @discardableResult func add(_ texts: [String], title: String = "") async throws -> UUID {
            let writer = try await begin(title: title, source: "test", language: "en", model: "base")
            try await writer.append(texts.enumerated().map { .saying($1, $0, utterance: $0) })
            try await writer.finish()
            return writer.id
        }

        /// Ends a session as if its program were killed.
        func interrupt(_ body: (SessionWriter) async throws -> Void) async throws -> UUID {
            let writer = try await begin()
            try await body(writer)
            return writer.id
        }

        /// Refuses a kind of statement from now on, as a full disk would.
        func refuse(_ statement: String, by name: String = "refusal") async throws {
            try await write {
                let refusal = "SELECT RAISE(ABORT, 'no room')"
                try $0.execute(sql: "CREATE TRIGGER \(name) BEFORE \(statement) BEGIN \(refusal); END")
            }
        }

        func allow(_ name: String = "refusal") async throws {
            try await write { try $0.execute(sql: "DROP TRIGGER \(name)") }
        }

        func export(audioOf id: UUID) async throws -> [Float] {
            let output = try TemporaryFolder()
            defer { withExtendedLifetime(output) {} }
            let file = output.url.appendingPathComponent("audio.wav")
            try await exportAudio(of: id, to: file)
            return try AudioFile.open(file).allSamples()
        }
    }

    /// Expects an error with this code and text in its message.
    func expectError(
        _ code: StenoError.Code, _ text: String = "", at location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: StenoError.self, sourceLocation: location) { try await body() }
        let isExpected = error?.code == code && (text.isEmpty || error?.message.contains(text) == true)
        #expect(isExpected, "\(String(describing: error))", sourceLocation: location)
    }

    /// Another program reading a history, which keeps the log from being emptied.
    struct LogReader {
        private let queue: DatabaseQueue

        init(_ store: TranscriptStore) async throws {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.allowsUnsafeTransactions = true
            queue = try DatabaseQueue(path: store.files.database.path, configuration: configuration)
            try await queue.unsafeRead { database in
                try database.beginTransaction()
                _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM session")
            }
        }

        func end() async throws { try await queue.unsafeRead { try $0.commit() } }
    }
#endif
