#if Server
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoServer
    import StenoStore

    /// The history, for the captions page.
    @available(macOS 14, *)
    struct StoreArchive: CaptionsArchive {
        let store: TranscriptStore
        let keepsAudio: Bool
        let summarizer: any TranscriptSummarizer
        /// Called if text cannot be stored or removed permanently, or if stored data is damaged.
        let onFailure: @Sendable (any Error) -> Void
        private let recordings = RunningRecordings()

        // MARK: Saving

        func begin(
            language: String?, model: String, events: TranscriptionEvents, onLoss: @escaping @Sendable () -> Void
        ) async throws -> any CaptionsRecorder {
            let writer = try await store.begin(source: "captions", language: language, model: model)
            let audio: LiveRecorder?
            do { audio = keepsAudio ? try await writer.makeRecorder(from: 0) : nil } catch {
                try? await store.discard(writer)
                throw error
            }
            audio?.onFailure { [onFailure] in
                onFailure(StenoError(.outputFailed, $0.message))
                onLoss()
            }
            let recording = SessionRecording(writer, events, onFailure: onFailure, onLoss: onLoss)
            await recordings.add(recording.id) { [store] in
                await recording.wait()
                await audio?.close()
                // Deletes the session if nothing was said.
                try? await store.discard(writer)
            }
            return Recorder(recording: recording, audio: audio)
        }

        func wait() async { await recordings.wait() }

        private struct Recorder: CaptionsRecorder {
            let recording: SessionRecording
            let audio: LiveRecorder?

            func append(_ chunk: AudioChunk) { audio?.append(chunk) }

            /// The audio is closed when the text is stored.
            func finish() { recording.finish() }
        }

        // MARK: Reading

        func sessions() async throws -> JSONValue {
            .array(try await store.sessions().map { .object(Self.fields($0)) })
        }

        func search(_ query: String) async throws -> JSONValue {
            let titles = Dictionary(try await store.sessions().map { ($0.id, $0.title) }) { first, _ in first }
            return .array(
                try await store.search(query).map { hit in
                    [
                        "session": .string(hit.session.uuidString.lowercased()), "start": .seconds(hit.start),
                        "segment": .number(Double(hit.segment)), "title": .string(titles[hit.session] ?? ""),
                        "excerpt": .array(
                            hit.excerpt.map { ["text": .string($0.text), "isMatch": .bool($0.isMatch)] }),
                    ]
                })
        }

        func session(_ id: UUID) async throws -> JSONValue {
            try await explaining {
                var fields = Self.fields(try await store.session(id))
                fields["hasAudio"] = .bool(try await store.hasAudio(id))
                fields["segments"] = .array(try await store.segments(of: id).map(Self.segment))
                return .object(fields)
            }
        }

        func summary(of id: UUID) async throws -> JSONValue {
            try await explaining {
                let summary: TranscriptSummary
                do {
                    summary = try await store.summary(of: id, by: summarizer)
                } catch let error as StenoError where Self.isOfHistory(error) {
                    throw error
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    onFailure(error)
                    throw ServerError(
                        status: 500, message: "The summary could not be made. See the server's log.",
                        type: "server_error", code: "summary_failed")
                }
                return ["title": .string(summary.title), "text": .string(summary.text)]
            }
        }

        private static func isOfHistory(_ error: StenoError) -> Bool {
            [.sessionNotFound, .historyDamaged].contains(error.code)
        }

        func text(of id: UUID, as format: TranscriptFormat) async throws -> String {
            try await explaining { format.text(of: try await store.transcript(of: id), subtitles: .readable) }
        }

        func audio(of id: UUID) async throws -> CaptionsAudio {
            try await explaining {
                let audio = try await store.audio(of: id)
                return CaptionsAudio(count: audio.count) { try await audio.next() }
            }
        }

        private static func fields(_ session: StoredSession) -> [String: JSONValue] {
            [
                "id": .string(session.id.uuidString.lowercased()), "title": .string(session.title),
                "start": .number(session.start.timeIntervalSince1970.rounded()), "duration": .seconds(session.duration),
                "language": session.language.map(JSONValue.string) ?? .null, "state": .string(session.state.rawValue),
            ]
        }

        private static func segment(_ segment: StoredSegment) -> JSONValue {
            [
                "id": .number(Double(segment.id)), "utterance": .number(Double(segment.utterance)),
                "start": .seconds(segment.start), "end": .seconds(segment.end), "text": .string(segment.text),
                "editedText": segment.editedText.map(JSONValue.string) ?? .null,
                "speaker": segment.speaker.map(JSONValue.string) ?? .null,
                "words": .array(
                    segment.words.map {
                        [
                            "start": .seconds($0.start), "end": .seconds($0.end), "word": .string($0.rawText),
                            "speaker": $0.speaker.map(JSONValue.string) ?? .null,
                        ]
                    }),
            ]
        }

        // MARK: Changing

        func change(_ id: UUID, _ change: JSONValue) async throws {
            if let title = change["title"]?.string {
                guard TerminalText.isPlain(title, allowing: "") else { throw Self.unprintable }
                guard title.unicodeScalars.count <= Self.longestTitle else { throw Self.tooLong }
                try await explaining { try await store.rename(id, title) }
            } else if let segment = change["segment"]?.integer, let text = change["text"] {
                guard text.isNull || text.string != nil else { throw Self.invalid }
                guard TerminalText.isPlain(text.string ?? "", allowing: "\n\t") else { throw Self.unprintable }
                try await explaining { try await store.edit(segment, of: id, text.string) }
            } else {
                throw Self.invalid
            }
        }

        private static let invalid = ServerError.invalid(
            "Send a title, or a segment with its text.", code: "invalid_value")
        /// The maximum number of characters in a title, as on the page.
        static let longestTitle = 200
        private static let tooLong = ServerError.invalidValue(
            "A title may have at most \(longestTitle) characters.", "title")
        private static let unprintable = ServerError.invalid(
            "The text has control characters, which cannot be shown. Remove them.", code: "invalid_value")

        func delete(_ id: UUID) async throws {
            // For the client the session is gone; traces in the log concern only the person who runs the server.
            if let failure = try await explaining({ try await store.deleteTryingLog([id]) }) { onFailure(failure) }
        }

        /// Explains errors that are the client's fault, such as a missing session, and damaged data.
        private func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
            do {
                return try await body()
            } catch let error as StenoError where error.code == .sessionNotFound {
                throw ServerError.unknownSession
            } catch let error as StenoError where error.code == .audioNotFound {
                throw ServerError.invalid(
                    "The audio of this session was not saved. Start captions with --save-audio.",
                    code: "audio_not_found", status: 404)
            } catch let error as StenoError where error.code == .sessionInUse {
                throw ServerError.invalid(
                    "The session is being recorded. Stop it first.", code: "session_in_use", status: 409)
            } catch let error as StenoError where error.code == .historyDamaged {
                onFailure(error)
                throw ServerError(
                    status: 500, message: "The stored session is damaged. Delete it.",
                    type: "server_error", code: "history_damaged")
            }
        }
    }

    /// The sessions that are not completely stored yet.
    private actor RunningRecordings {
        private var tasks: [UUID: Task<Void, Never>] = [:]

        /// Runs the work that ends a session.
        func add(_ id: UUID, _ end: @escaping @Sendable () async -> Void) {
            tasks[id] = Task {
                await end()
                self.tasks[id] = nil
            }
        }

        func wait() async { while let task = tasks.values.first { await task.value } }
    }
#endif
