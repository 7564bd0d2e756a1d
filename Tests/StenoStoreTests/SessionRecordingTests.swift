import Foundation
import Steno
import Testing

@testable import StenoStore

/// Events of a live session on their way into the history.
struct SessionRecordingTests {
    private let folder = HistoryFolder()

    /// Collects failures.
    private final class Failures: @unchecked Sendable {
        private let lock = NSLock()
        private var errors: [any Error] = []
        var count: Int { lock.withLock { errors.count } }
        func add(_ error: any Error) { lock.withLock { errors.append(error) } }
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
        await recorder.take(.final(text: " Guten Tag.", segments: [.saying(" Guten Tag.", 0)], position: 2))
        #expect(try await store.partialText(of: writer.id).isEmpty)
        #expect(try await store.transcript(of: writer.id).text == "Guten Tag.")
        #expect(await recorder.finish())
        let session = try await store.session(writer.id)
        #expect(session.state == .finished && session.language == "de" && session.duration == 2)
    }

    @Test func aSnapshotBringsWhatCameBeforeTheReader() async throws {
        let store = try await folder.store()
        let writer = try await store.begin()
        var recorder = EventRecorder(writer) { _ in }
        let first = TranscriptSegment.saying(" One", 0), second = TranscriptSegment.saying(" two", 1)
        let before = TranscriptAccumulator(stored: [first], position: 1)
        await recorder.take(.snapshot(before, position: 1))
        await recorder.take(.final(text: " two", segments: [second], position: 2))
        // A reader that fell behind gets everything again.
        await recorder.take(.snapshot(TranscriptAccumulator(stored: [first, second], position: 2), position: 2))
        #expect(await recorder.finish())
        #expect(try await store.segments(of: writer.id).map(\.text) == [" One", " two"])
    }

    @Test func aFullDiskIsReportedOnceAndTheTextIsStoredLater() async throws {
        let store = try await folder.store()
        let writer = try await store.begin()
        let failures = Failures()
        var recorder = EventRecorder(writer) { failures.add($0) }
        let pages = try await store.write { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        _ = try await store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages + 1)") }
        let long = String(repeating: " word", count: 20_000)
        for number in 0..<3 {
            await recorder.take(
                .final(text: long, segments: [.saying(long, number)], position: Double(number)))
        }
        #expect(failures.count == 1)
        #expect(try await store.segments(of: writer.id).isEmpty)
        _ = try await store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = 1000000") }
        await recorder.take(.final(text: " End.", segments: [.saying(" End.", 3)], position: 4))
        #expect(try await store.segments(of: writer.id).map(\.id) == [0, 1, 2, 3])
        #expect(await recorder.finish() && failures.count == 1)
    }
}
