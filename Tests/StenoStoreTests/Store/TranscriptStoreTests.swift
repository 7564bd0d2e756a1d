import Foundation
import Steno
import Testing

@testable import StenoStore

/// What is stored, and what is read again.
struct TranscriptStoreTests {
    private let folder = HistoryFolder()

    @Test func whatWasAppendedIsReadAgainByAnotherStore() async throws {
        let writer = try await folder.store().begin(title: "Lunch", source: "microphone", language: "en", model: "base")
        try await writer.append([.saying(" One", 0), .saying(" two.", 1)])
        try await writer.append([.saying(" Three.", 2, utterance: 1)])
        try await writer.finish(duration: 4.5)

        let store = try await folder.store()
        let session = try #require(try await store.sessions().first)
        #expect(session.title == "Lunch" && session.source == "microphone" && session.model == "base")
        #expect(session.state == .finished && session.duration == 4.5 && session.segmentCount == 3)
        #expect(session.end != nil)
        let segments = try await store.segments(of: writer.id)
        #expect(segments.map(\.text) == [" One", " two.", " Three."] && segments.map(\.id) == [0, 1, 2])
        #expect(segments[1].words == [Word(word: " two.", start: 1, end: 2, probability: 0.5)])
        let transcript = try await store.transcript(of: writer.id)
        #expect(transcript.segments.map(\.text) == [" One two.", " Three."])
        #expect(transcript.words.count == 3 && transcript.duration == 4.5 && transcript.language == "en")
    }

    @Test func aSessionWithoutItsWriterWasInterrupted() async throws {
        let store = try await folder.store()
        var writer: SessionWriter? = try await store.begin(title: "Cut off")
        let id = try #require(writer?.id)
        try await writer?.append([.saying(" One", 0)])
        try await writer?.setPartial(" two thr")
        // Another store sees that it is being recorded, and leaves it alone.
        let other = try await folder.store()
        #expect(try await other.session(id).state == .recording)
        await #expect { try await other.delete([id]) } throws: { ($0 as? StenoError)?.code == .sessionInUse }
        await #expect { try await other.resume(id) } throws: { ($0 as? StenoError)?.code == .sessionInUse }
        writer = nil
        let session = try await other.session(id)
        #expect(session.state == .interrupted && session.duration == 1)
        #expect(try await other.partialText(of: id) == " two thr")
        #expect(try await other.transcript(of: id).text == "One")
    }

    @Test func anInterruptedSessionContinues() async throws {
        let store = try await folder.store()
        var writer: SessionWriter? = try await store.begin()
        let id = try #require(writer?.id)
        try await writer?.append([.saying(" One", 0), .saying(" two.", 1)])
        writer = nil
        let (again, text) = try await store.resume(id)
        #expect(text.displayText == "One two." && text.finals.map(\.id) == [0, 1] && text.position == 2)
        #expect(try await store.session(id).state == .recording)
        try await again.append([.saying(" Three.", 2, utterance: 1)])
        try await again.finish()
        #expect(try await store.transcript(of: id).text == "One two. Three.")
        #expect(try await store.session(id).state == .finished)
    }

    @Test func segmentsAreAppendedAllOrNone() async throws {
        let store = try await folder.store()
        let writer = try await store.begin()
        try await writer.append([.saying(" One", 0)])
        await #expect(throws: StenoError.self) { try await writer.append([.saying(" two", 1), .saying(" one", 0)]) }
        #expect(try await store.segments(of: writer.id).map(\.text) == [" One"])
        #expect(try await store.search("two").isEmpty)
    }

    @Test func anEditKeepsWhatWasRecognised() async throws {
        let store = try await folder.store()
        let id = try await store.add([" The hole house.", " Was there."])
        try await store.edit(0, of: id, " The whole house.")
        let segments = try await store.segments(of: id)
        #expect(segments[0].text == " The whole house." && segments[0].recognizedText == " The hole house.")
        #expect(try await store.transcript(of: id).text == "The whole house. Was there.")
        #expect(try await store.search("hole").isEmpty)
        #expect(try await store.search("whole").map(\.segment) == [0])
        try await store.edit(0, of: id, nil)
        #expect(try await store.transcript(of: id).text == "The hole house. Was there.")
        await #expect(throws: StenoError.self) { try await store.edit(7, of: id, "?") }
        try await store.rename(id, "Houses")
        #expect(try await store.session(id).title == "Houses")
    }

    @Test func whatWasDeletedIsInNoFile() async throws {
        let store = try await folder.store()
        let kept = try await store.add([" Marmalade stays."])
        let gone = try await store.add((0..<200).map { " The secret number \($0) is xylophone." }, title: "Xanadu")
        #expect(try folder.contains("xylophone") && folder.contains("Xanadu"))
        try await store.delete([gone])
        #expect(try !folder.contains("xylophone") && !folder.contains("Xanadu"))
        #expect(try await store.sessions().map(\.id) == [kept])
        #expect(try await store.search("xylophone").isEmpty)
        #expect(try await store.search("marmalade").count == 1)
        await #expect { try await store.session(gone) } throws: { ($0 as? StenoError)?.code == .sessionNotFound }
    }

    @Test func oldSessionsAreDeleted() async throws {
        let store = try await folder.store()
        let old = try await store.begin(start: Date(timeIntervalSinceNow: -40 * 86_400))
        try await old.append([.saying(" Old", 0)])
        try await store.write { database in
            try database.execute(
                sql: "UPDATE session SET state = 'finished', ended = started + 60 WHERE uuid = ?",
                arguments: [old.id.uuidString])
        }
        let new = try await store.add([" New"])
        // A writer that still has the session is asked first.
        await #expect(throws: StenoError.self) { try await store.deleteSessions(endedBefore: Date()) }
        #expect(try await store.sessions().count == 2)
        withExtendedLifetime(old) {}
        _ = new
    }

    @Test func aListThatObservesSeesEveryChange() async throws {
        let store = try await folder.store()
        var changes = store.changes.makeAsyncIterator()
        #expect(try await changes.next()?.isEmpty == true)
        let writer = try await store.begin(title: "Now")
        #expect(try await changes.next()?.map(\.title) == ["Now"])
        try await writer.append([.saying(" One", 0)])
        #expect(try await changes.next()?.first?.segmentCount == 1)
    }

    @Test func aFileThatIsNoHistoryIsAnErrorThatSaysWhatToDo() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(repeating: 7, count: 10_000).write(to: folder.url.appendingPathComponent("history.sqlite"))
        await #expect {
            try await folder.store()
        } throws: {
            ($0 as? StenoError)?.code == .historyDamaged && "\($0)".contains("Move its folder away")
        }
    }
}
