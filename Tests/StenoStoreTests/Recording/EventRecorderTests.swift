#if Store
    import Foundation
    import GRDB
    import Steno
    import Testing

    @testable import StenoStore

    /// Events of a live session on their way into the history.
    struct EventRecorderTests {
        private let folder = HistoryFolder()

        /// Collects failures.
        private final class Failures: @unchecked Sendable {
            // Sendable: accessed under the lock.
            private let lock = NSLock()
            private var errors: [any Error] = []
            var count: Int { lock.withLock { errors.count } }
            func add(_ error: any Error) { lock.withLock { errors.append(error) } }
        }

        private func final(_ text: String, _ id: Int, partial: String = "") -> TranscriptionEvent {
            let rest = partial.isEmpty ? [] : [TranscriptSegment.saying(partial, id + 1)]
            return .final(text: text, segments: [.saying(text, id)], partials: rest, position: Double(id) + 1)
        }

        @Test func finalTextIsStoredAndPartialTextApart() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            await recorder.take(.language(LanguageDetection(language: "de", probability: 0.9), position: 1))
            await recorder.take(.partial(text: " Gut", segments: [], position: 1))
            #expect(try await store.partialText(of: writer.id) == " Gut")
            // Within a second of audio, partial text is not stored again.
            await recorder.take(.partial(text: " Guten", segments: [], position: 1.5))
            #expect(try await store.partialText(of: writer.id) == " Gut")
            await recorder.take(final(" Guten Tag.", 1, partial: " Ich"))
            #expect(try await store.partialText(of: writer.id) == " Ich")
            #expect(try await store.transcript(of: writer.id).text == "Guten Tag.")
            #expect(try await store.segments(of: writer.id).map(\.language) == ["de"])
            await recorder.take(.state(.finished, position: 3))
            #expect(await recorder.finish())
            let session = try await store.session(writer.id)
            #expect(session.state == .finished && session.language == "de" && session.duration == 3)
            #expect(try await store.partialText(of: writer.id).isEmpty)
        }

        @Test func eventsThatBreakOffLeaveAnInterruptedSession() async throws {
            let store = try await folder.store()
            var writer: SessionWriter? = try await store.begin()
            let id = try #require(writer?.id)
            var recorder: EventRecorder? = writer.map { EventRecorder($0) { _ in } }
            writer = nil
            await recorder?.take(final(" Cut", 0, partial: " off"))
            #expect(await recorder?.finish() == true)
            recorder = nil
            #expect(try await store.session(id).state == .interrupted)
            #expect(try await store.partialText(of: id) == " off")
        }

        @Test func aSnapshotBringsWhatCameBeforeTheReader() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            let first = TranscriptSegment.saying(" One", 0), second = TranscriptSegment.saying(" two", 1)
            await recorder.take(.snapshot(TranscriptAccumulator(stored: [first], position: 1), position: 1))
            await recorder.take(.final(text: " two", segments: [second], position: 2))
            // A reader that fell behind gets everything again.
            await recorder.take(.snapshot(TranscriptAccumulator(stored: [first, second], position: 2), position: 2))
            #expect(await recorder.finish())
            #expect(try await store.segments(of: writer.id).map(\.text) == [" One", " two"])
        }

        @Test func aTranscriptThatIsClearedIsGone() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            await recorder.take(final(" Xylophone", 0))
            await recorder.take(.cleared(position: 2))
            #expect(try !folder.contains("Xylophone"))
            await recorder.take(final(" Zither", 1))
            #expect(try await store.transcript(of: writer.id).text == "Zither")
            #expect(try await store.session(writer.id).segmentCount == 1)
            #expect(try await store.search("xylophone").isEmpty)
            #expect(try await store.search("zither").count == 1)
        }

        @Test func aFullDiskIsReportedOnceAndTheTextIsStoredLater() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            let failures = Failures()
            var recorder = EventRecorder(writer) { failures.add($0) }
            let pages = try await store.write { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
            _ = try await store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages + 1)") }
            let long = String(repeating: " word", count: 20_000)
            for number in 0..<3 { await recorder.take(final(long, number)) }
            #expect(failures.count == 1)
            #expect(try await store.segments(of: writer.id).isEmpty)
            _ = try await store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = 1000000") }
            await recorder.take(final(" End.", 3))
            #expect(try await store.segments(of: writer.id).map(\.id) == [0, 1, 2, 3])
            #expect(await recorder.finish() && failures.count == 1)
        }
    }
#endif
