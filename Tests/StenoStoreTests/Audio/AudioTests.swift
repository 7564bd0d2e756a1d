#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    struct AudioTests {
        private let folder = HistoryFolder()
        private let output = TemporaryFolder.ofSuite()

        /// A tone with 16-bit samples, which are stored without loss.
        private func tone(_ count: Int) -> [Float] { (0..<count).map { Float(($0 * 37) % 4096 - 2048) / 32_768 } }

        private func record(_ samples: [Float], _ writer: SessionWriter, from start: Double = 0) async throws {
            let recorder = try await writer.makeRecorder(from: start)
            for position in stride(from: 0, to: samples.count, by: 1600) {
                let piece = Array(samples[position...].prefix(1600))
                recorder.append(AudioChunk(position: position, samples: piece))
            }
            await recorder.close()
        }

        /// The audio as a player reads it.
        private func played(_ store: TranscriptStore, _ id: UUID) async throws -> [Float] {
            let audio = try await store.audio(of: id)
            var samples: [Float] = []
            while let piece = try await audio.next() { samples += piece }
            #expect(samples.count == audio.count)
            return samples
        }

        @Test(arguments: [false, true])
        func audioComesBackAsItWasWithSilenceBetweenItsParts(isEncrypted: Bool) async throws {
            let (store, writer) = try await folder.begun(isEncrypted: isEncrypted)
            #expect(try await !store.hasAudio(writer.id))
            await expectError(.audioNotFound) { _ = try await store.export(audioOf: writer.id) }
            let samples = tone(40_123)
            try await record(samples, writer)
            #expect(try await store.hasAudio(writer.id))
            #expect(try await store.export(audioOf: writer.id) == samples)
            try await record(tone(8000), writer, from: 3)
            let whole = samples + [Float](repeating: 0, count: 48_000 - samples.count) + tone(8000)
            #expect(try await store.export(audioOf: writer.id) == whole)
            #expect(try await played(store, writer.id) == whole)
        }

        @Test func encryptedAudioHasNoPlainSamples() async throws {
            for key in [StoreKey.none, .random()] {
                let folder = HistoryFolder()
                let writer = try await folder.store(key).begin()
                try await record(tone(32_000), writer)
                var bytes: [UInt8] = []
                for sample in tone(16) { bytes.append(littleEndian: sample.pcm16) }
                #expect(try folder.contains(Data(bytes)) == (key.bytes == nil))
            }
        }

        @Test(arguments: [false, true]) func deletedAudioIsGone(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted: isEncrypted)
            let id = try await store.interrupt {
                try await record(tone(8000), $0)
                try await record(tone(8000), $0, from: 2)
            }
            try await store.delete([id])
            #expect(try folder.files().filter { ["wav", "sealed"].contains($0.pathExtension) } == [])
        }

        /// A killed program leaves a header that is a second old, or part of a chunk.
        @Test(arguments: [false, true]) func truncatedAudioIsRead(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted: isEncrypted)
            let samples = tone(40_000)
            let id = try await store.interrupt { try await record(samples, $0) }
            let file = store.files.audio(of: id, part: 1, isSealed: isEncrypted)
            let handle = try FileHandle(forUpdating: file)
            if isEncrypted {
                try handle.truncate(atOffset: handle.seekToEnd() - 3)
            } else {
                // As it was after the first second, with half a sample at the end.
                try handle.seek(toOffset: 76)
                try handle.write(contentsOf: Data([0x00, 0x7D, 0, 0]))
                try handle.seek(toOffset: handle.seekToEnd())
                try handle.write(contentsOf: Data([1]))
            }
            try handle.close()
            #expect(try await store.export(audioOf: id) == Array(samples.prefix(isEncrypted ? 32_000 : 40_000)))
        }

        @Test func aChangedBitInEncryptedAudioIsDetected() async throws {
            let (store, writer) = try await folder.begun(isEncrypted: true)
            try await record(tone(40_000), writer)
            let file = store.files.audio(of: writer.id, part: 1, isSealed: true)
            let original = try Data(contentsOf: file), new = output.url.appendingPathComponent("new.wav")
            for offset in [3, 5000, original.count - 5] {
                var bytes = original
                bytes[offset] ^= 1
                try bytes.write(to: file)
                await expectError(.historyDamaged) { try await store.exportAudio(of: writer.id, to: new) }
            }
            // A missing chunk: the second takes the place of the first.
            let chunk = 4 + 32_000 + Sealer.overhead
            var shorter = original
            shorter.removeSubrange(12..<(12 + chunk))
            try shorter.write(to: file)
            await expectError(.historyDamaged) { try await store.exportAudio(of: writer.id, to: new) }
            // A failure leaves no partial audio and does not damage an older file.
            #expect(try output.names() == [])
            let older = try output.write("older", to: "older.wav")
            await expectError(.historyDamaged) {
                try await store.exportAudio(of: writer.id, to: older, overwriting: true)
            }
            #expect(try String(contentsOf: older, encoding: .utf8) == "older")
            #expect(try output.names() == ["older.wav"])
        }

        @Test func anExportReplacesAFileOnlyOnRequest() async throws {
            let (store, writer) = try await folder.begun()
            try await record(tone(1600), writer)
            let file = try output.write("older", to: "older.wav")
            await expectError(.outputFailed, "exists already") { try await store.exportAudio(of: writer.id, to: file) }
            #expect(try String(contentsOf: file, encoding: .utf8) == "older")
            try await store.exportAudio(of: writer.id, to: file, overwriting: true)
            #expect(try AudioFile.open(file).allSamples() == tone(1600))
            #expect(try output.names() == ["older.wav"])
        }

        /// The audio may be longer than the final text.
        @Test(arguments: [false, true])
        func anInterruptedSessionContinuesAfterItsAudio(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted: isEncrypted)
            let id = try await store.interrupt {
                try await record(tone(24_000), $0)
                try await $0.append([.saying(" One", 0)])
            }
            #expect(try await store.session(id).duration == 1)
            let (again, text) = try await store.resume(id)
            #expect(text.position == 1.5)
            try await record(tone(8000), again, from: text.position)
            #expect(try await store.export(audioOf: id) == tone(24_000) + tone(8000))
        }

        @Test func audioThatCannotBeRemovedKeepsItsSession() async throws {
            let store = try await folder.store()
            let id = try await store.interrupt {
                try await $0.append([.saying(" Xylophone.", 0)])
                try await record(tone(8000), $0)
            }
            let file = store.files.audio(of: id, part: 1, isSealed: false)
            let manager = FileManager.default
            try manager.removeItem(at: file)
            try manager.createDirectory(at: file.appendingPathComponent("inner"), withIntermediateDirectories: true)
            await expectError(.outputFailed, file.path) { try await store.delete([id]) }
            #expect(try await store.transcript(of: id).text == "Xylophone.")
            try manager.removeItem(at: file)
            try await store.delete([id])
            #expect(try await store.sessions().isEmpty)
            #expect(try !folder.contains("Xylophone"))
        }

        /// Speaks into a session to its end.
        private func speak(_ samples: [Float], into writer: SessionWriter, _ hearing: Hearing) async throws {
            let source = PushedSource()
            let (session, recording) = try await Transcriber(model: SecondFamilyModel(hearing: hearing)).live(
                LiveSource(source), options: LiveOptions(language: "en").with { $0.detector = .energy }, into: writer,
                keepsAudio: true)
            source.push(samples)
            source.end()
            try await session.wait()
            #expect(await recording.wait())
            #expect(recording.id == writer.id)
        }

        @Test(arguments: Hearing.allCases) func aLiveSessionIsSavedWithItsAudio(hearing: Hearing) async throws {
            let (store, writer) = try await folder.begun(isEncrypted: true)
            let samples = tone(32_000)
            try await speak(samples, into: writer, hearing)
            let stored = try await store.session(writer.id)
            #expect(stored.state == .finished && stored.duration == 2)
            #expect(try await store.transcript(of: writer.id).text == "one two")
            #expect(try await store.export(audioOf: writer.id) == samples)
        }

        @Test(arguments: Hearing.allCases)
        func aContinuedLiveSessionStartsWhereThePreviousOneEnded(hearing: Hearing) async throws {
            let store = try await folder.store()
            let id = try await store.interrupt {
                try await $0.append([.saying(" One", 0)])
                try await record(tone(32_000), $0)
            }
            try await speak(tone(16_000), into: store.resume(id).writer, hearing)
            #expect(try await store.session(id).duration == 3)
            let segments = try await store.segments(of: id)
            #expect(segments.map(\.text) == [" One", " one"])
            #expect(
                segments.map(\.id) == Array(0..<segments.count) && segments.dropFirst().allSatisfy { $0.start >= 2 })
            #expect(try await store.export(audioOf: id) == tone(32_000) + tone(16_000))
        }

        /// Starts a live session whose microphone may not be used.
        private func failToStart(_ writer: SessionWriter) async throws {
            let source = LiveSource(PushedSource(error: StenoError(.permissionDenied, "Not allowed.")))
            await expectError(.permissionDenied) {
                _ = try await Transcriber(model: SecondFamilyModel()).live(
                    source, options: LiveOptions(language: "en"), into: writer, keepsAudio: true)
            }
        }

        @Test func aLiveSessionThatCannotBeStartedLeavesNothing() async throws {
            let store = try await folder.store()
            try await failToStart(store.begin())
            #expect(try await store.sessions().isEmpty)
        }

        @Test(arguments: [false, true]) func aSessionThatCannotBeContinuedIsUnchanged(isFinished: Bool) async throws {
            let store = try await folder.store()
            let id = try await store.interrupt {
                try await record(tone(8000), $0)
                try await $0.append([.saying(" One", 0)], partial: " tw")
            }
            if isFinished { try await store.resume(id).writer.finish() }
            let before = try await store.session(id)
            #expect(before.state == (isFinished ? .finished : .interrupted))
            try await failToStart(store.resume(id).writer)
            #expect(try await store.session(id) == before)
            #expect(try await store.partialText(of: id) == (isFinished ? "" : " tw"))
            #expect(try await store.transcript(of: id).text == "One")
            let parts = try await store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM recording") }
            #expect(parts == 1, "the audio of before")
        }

        @Test func anAbandonedContinuationKeepsItsText() async throws {
            let store = try await folder.store()
            let id = try await store.add([" One."])
            for adds in [
                { try await $0.append([.saying(" Two.", 1)]) }, { try await self.record(self.tone(1600), $0, from: 2) },
            ] as [(SessionWriter) async throws -> Void] {
                var writer: SessionWriter? = try await store.resume(id).writer
                try await adds(#require(writer))
                try await store.abandon(#require(writer))
                writer = nil
                #expect(try await store.session(id).state == .interrupted)
                try await store.resume(id).writer.finish()
            }
            #expect(try await store.transcript(of: id).text == "One. Two.")
        }

        @Test func theContinuedTextIsHandedOverOnceAndNotRetained() async throws {
            let store = try await folder.store()
            let id = try await store.add([" One."])
            let (writer, text) = try await store.resume(id)
            #expect(try writer.takePrevious() == text)
            await expectError(.engineState, "Resume the session again") { _ = try writer.takePrevious() }
            let transcriber = Transcriber(model: SecondFamilyModel())
            await expectError(.engineState) {
                _ = try await transcriber.live(LiveSource(PushedSource()), into: writer)
            }
            #expect(try await store.session(id).state == .recording, "the session that has the text may be running")
            #expect(try await store.begin().takePrevious() == nil)
        }
    }
#endif
