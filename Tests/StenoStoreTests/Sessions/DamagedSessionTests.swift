#if Store
    import Foundation
    import GRDB
    import Steno
    import Testing

    @testable import StenoStore

    /// Sessions with damaged metadata in the database.
    struct DamagedSessionTests {
        private let folder = HistoryFolder()

        private func damage(_ id: UUID, _ assignment: String, in store: TranscriptStore) async throws {
            try await store.write {
                try $0.execute(sql: "UPDATE session SET \(assignment) WHERE uuid = ?", arguments: [id.uuidString])
            }
        }

        @Test(arguments: [
            "content = x'0063'", "content = 7.5", "uuid = 'nobody'", "started = 'long ago'", "ended = 9e999",
            "duration = -1", "segments = 'many'",
        ])
        func aDamagedSessionHidesNoOthers(damage: String) async throws {
            let store = try await folder.store()
            let whole = try await store.add([" The whole house."], title: "Whole")
            let hole = try await store.add([" Xylophone."], title: "Hole")
            try await self.damage(hole, damage, in: store)
            let sessions = try await store.sessions()
            #expect(sessions.count == 2 && sessions.contains { $0.id == whole && $0.title == "Whole" })
            let damaged = try #require(sessions.first { $0.state == .damaged })
            #expect(damaged.id == hole || damage.hasPrefix("uuid"))
            #expect(damaged.title.isEmpty && damaged.duration >= 0 && damaged.duration < 2)
            // The others are found, exported and changed.
            #expect(try await store.search("house").map(\.session) == [whole])
            #expect(try await store.transcript(of: whole).text == "The whole house.")
            try await store.rename(whole, "Still whole")
            // It reports what is wrong with it, and can be deleted.
            await expectError(.historyDamaged, damaged.id.uuidString) { _ = try await store.session(damaged.id) }
            await expectError(.historyDamaged) { _ = try await store.transcript(of: damaged.id) }
            await expectError(.sessionNotFound) { _ = try await store.session(UUID()) }
            try await store.delete([damaged.id])
            #expect(try await store.sessions().map(\.title) == ["Still whole"])
            #expect(try !folder.contains("Xylophone"))
        }

        @Test func aDamagedSessionInAnEncryptedHistoryHidesNoOthers() async throws {
            let store = try await folder.store(.random())
            let whole = try await store.add([" The whole house."])
            let hole = try await store.add([" Xylophone."])
            try await damage(hole, "content = randomblob(length(content))", in: store)
            #expect(try await store.sessions().map(\.state) == [.damaged, .finished])
            #expect(try await store.search("house").map(\.session) == [whole])
            #expect(try await store.search("xylophone").map(\.session) == [hole], "its texts are not damaged")
            try await store.delete([hole])
            #expect(try await store.sessions().map(\.id) == [whole])
        }

        @Test(arguments: [
            "number = 'x'", "content = 7.5", "utterance = 'x'", "start = 9e999", "start = -9e999", "start = 'nan'",
            "\"end\" = 9e999",
        ])
        func aDamagedSegmentHidesNoOthers(damage: String) async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            try await writer.append([
                .saying(" Damaged", 0), .saying(" house.", 1), .saying(" Elsewhere.", 2, utterance: 1),
            ])
            try await store.write { try $0.execute(sql: "UPDATE segment SET \(damage) WHERE number = 0") }
            // Both passages are found by their readable segments, which have finite times.
            #expect(try await store.search("elsewhere").map(\.segment) == [2])
            let found = try await store.search("house")
            #expect(found.count == 1 && found.allSatisfy { $0.start.isFinite })
            // Text can still be stored and corrected, in the same passage too.
            try await writer.append([.saying(" More", 3, utterance: 1)])
            let change = SpeakerChange(start: 0, end: nil, was: "Speaker 1", now: "Ann")
            try await writer.correct(.changes([change], before: 4))
            try await writer.join("!")
            #expect(try await store.search("more").count == 1)
            await expectError(.historyDamaged, "Delete its session") { _ = try await store.segments(of: writer.id) }
        }

        @Test(arguments: ["start = 9e999", "start = 'long ago'", "number = 'x'"])
        func aDamagedRecordOfTheAudioIsAnError(damage: String) async throws {
            let store = try await folder.store()
            let id = try await store.interrupt { writer in
                try await writer.append([.saying(" One.", 0)])
                let recorder = try await writer.makeRecorder(from: 0)
                recorder.append(AudioChunk(position: 0, samples: [Float](repeating: 0, count: 16_000)))
                await recorder.close()
            }
            try await store.write { try $0.execute(sql: "UPDATE recording SET \(damage)") }
            await expectError(.historyDamaged, "Its text can still be read") { _ = try await store.audio(of: id) }
            await expectError(.historyDamaged) { _ = try await store.export(audioOf: id) }
            #expect(try await store.transcript(of: id).text == "One.")
            #expect(try await store.resume(id).text.text == "One.")
        }

        @Test func anObserverSeesTheUndamagedSessions() async throws {
            let store = try await folder.store()
            let whole = try await store.add([" The whole house."])
            try await damage(store.add([" Xylophone."]), "content = x'0063'", in: store)
            var changes = store.changes.makeAsyncIterator()
            #expect(try await changes.next()?.map(\.state) == [.damaged, .finished])
            try await store.rename(whole, "Whole")
            #expect(try await changes.next()?.map(\.title) == ["", "Whole"])
        }

        @Test func identitiesIgnoreCase() async throws {
            let store = try await folder.store()
            let id = try await store.add([" One."])
            try await damage(id, "uuid = lower(uuid)", in: store)
            #expect(try await store.sessions().map(\.id) == [id])
            #expect(try await store.transcript(of: id).text == "One.")
        }

        @Test func damagedSessionsOfKnownAgeArePruned() async throws {
            let store = try await folder.store()
            let old = try await store.add([" Old."])
            let unknown = try await store.begin().id
            try await damage(old, "content = x'0063'", in: store)
            try await damage(unknown, "started = 'long ago'", in: store)
            #expect(try await store.deleteSessions(endedBefore: Date(timeIntervalSince1970: 4e9)).map(\.id) == [old])
            #expect(try await store.sessions().map(\.id) == [unknown])
        }
    }
#endif
