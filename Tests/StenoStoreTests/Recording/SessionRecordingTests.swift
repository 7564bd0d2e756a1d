#if Store
    import Steno
    import Testing

    @testable import StenoStore

    /// Live sessions that are written into the history while they are spoken.
    struct SessionRecordingTests {
        private let folder = HistoryFolder()

        @Test func aRecordingThatIsEndedHasWhatWasSaidUpToThen() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            let session = TranscriptionEventBroadcast()
            let recording = SessionRecording(writer, session.events()) { _ in }
            func say(_ text: String, _ id: Int) {
                session.send(.final(text: text, segments: [.saying(text, id)], position: Double(id) + 1))
            }
            say(" One", 0)
            recording.finish()
            say(" two", 1)
            #expect(await recording.wait())
            #expect(try await store.segments(of: writer.id).map(\.text) == [" One"])
            let stored = try await store.session(writer.id)
            #expect(stored.state == .finished && stored.duration == 1)
            session.finish()
        }
    }
#endif
