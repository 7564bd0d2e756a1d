#if Store
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// The audio of sessions whose transcript is cleared.
    struct SessionAudioTests {
        private let folder = HistoryFolder()

        /// Audio with 16-bit samples, a different tone for each number.
        private func chunk(_ position: Int, _ count: Int, tone: Int = 37) -> AudioChunk {
            AudioChunk(position: position, samples: (0..<count).map { Float(($0 * tone) % 4096 - 2048) / 32_768 })
        }

        private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

        private func audioFiles() throws -> [String] {
            try folder.files().map(\.lastPathComponent).filter { $0.hasSuffix(".wav") || $0.hasSuffix(".sealed") }
        }

        @Test(arguments: [false, true]) func clearingATranscriptRemovesItsAudio(isEncrypted: Bool) async throws {
            let (store, writer) = try await folder.begun(isEncrypted: isEncrypted)
            let audio = try await writer.makeRecorder(from: 0)
            var recorder = EventRecorder(writer) { _ in }
            audio.append(chunk(0, 16_000))
            await recorder.take(.saying(" Xylophone", 0))
            await audio.flush()
            #expect(try audioFiles().count == 1)
            await recorder.take(.cleared(at: 1))
            #expect(try audioFiles().isEmpty)
            #expect(try await !store.hasAudio(writer.id))
            // The session continues, with its times.
            let rest = chunk(16_000, 8000, tone: 53)
            audio.append(rest)
            await recorder.take(.saying(" Zither", 1))
            await audio.close()
            #expect(try await store.export(audioOf: writer.id) == silence(16_000) + rest.samples)
            #expect(try await store.transcript(of: writer.id).text == "Zither")
            await recorder.take(.cleared(at: 2))
            await recorder.take(.init(.state(.finished), position: 2))
            #expect(await recorder.finish())
            #expect(try audioFiles().isEmpty)
        }

        /// Clients choose their sample numbers: a few bytes could stand for terabytes of silence in an export.
        @Test func audioAfterAClearIsNoLaterThanTheElapsedTime() async throws {
            let store = try await folder.store()
            let clock = Recorder<Double>()
            let audio = SessionAudio(UUID(), store.files, store.sealer) { clock.all.last ?? 5 }
            let recorder = try audio.makeRecorder(1, from: 100)
            clock.add(65)
            // The gap of 40 s that was left out is restored, the hundred years are not.
            #expect(audio.end(atLeast: 140) == 140 && audio.end(atLeast: 3e9) == 190)
            clock.add(75)
            #expect(audio.end(atLeast: 3e9) == 200)
            await recorder.close()
            // An hour of a file may take a minute to transcribe, and its audio after a clear belongs to its text.
            let file = SessionAudio(UUID(), store.files, store.sealer) { 5 }
            let fileRecorder = try file.makeRecorder(1, from: 100, isRealTime: false)
            #expect(file.end(atLeast: 3700) == 3700)
            await fileRecorder.close()
        }

        /// Audio held back by a full disk is written once there is room.
        @Test func audioWaitingForTheDiskIsClearedToo() async throws {
            let (store, writer) = try await folder.begun()
            let audio = try await writer.makeRecorder(from: 0)
            var recorder = EventRecorder(writer) { _ in }
            // A file in its place cannot be overwritten.
            try Data().write(to: store.files.audio(of: writer.id, part: 1, isSealed: false))
            audio.append(chunk(0, 16_000))
            await audio.flush()
            #expect(audio.waitingSeconds == 1)
            await recorder.take(.cleared(at: 1))
            #expect(audio.waitingSeconds == 0)
            let rest = chunk(16_000, 8000, tone: 53)
            audio.append(rest)
            await audio.close()
            #expect(try await store.export(audioOf: writer.id) == silence(16_000) + rest.samples)
        }

        @Test func audioThatCannotBeRemovedKeepsItsText() async throws {
            let (store, writer) = try await folder.begun()
            let audio = try await writer.makeRecorder(from: 0)
            let failures = Recorder<String>()
            var recorder = EventRecorder(writer) { failures.add("\($0)") }
            audio.append(chunk(0, 16_000))
            await audio.flush()
            await recorder.take(.saying(" Xylophone", 0))
            let file = store.files.audio(of: writer.id, part: 1, isSealed: false)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            await recorder.take(.cleared(at: 1))
            #expect(failures.all.count == 1)
            #expect(try await store.transcript(of: writer.id).text == "Xylophone")
            try FileManager.default.removeItem(at: file)
            await recorder.take(.saying(" Zither", 1))
            #expect(try await store.transcript(of: writer.id).text == "Zither")
            #expect(await recorder.finish() && failures.all.count == 1)
            await audio.close()
            #expect(try audioFiles().isEmpty)
        }

        /// The program may end after the audio is removed, but before the text is.
        @Test func textWithoutItsAudioIsReadAndClearedAgain() async throws {
            let (store, writer) = try await folder.begun()
            let audio = try await writer.makeRecorder(from: 0)
            var recorder = EventRecorder(writer) { _ in }
            audio.append(chunk(0, 16_000))
            await recorder.take(.saying(" Xylophone", 0))
            try await store.refuse("DELETE ON segment")
            await recorder.take(.cleared(at: 1))
            let other = try await folder.store()
            #expect(try await other.transcript(of: writer.id).text == "Xylophone")
            #expect(try await !other.hasAudio(writer.id))
            // Nothing remains that would have to be removed again.
            audio.append(chunk(16_000, 16_000))
            await audio.flush()
            #expect(try audioFiles().isEmpty)
            try await store.allow()
            await recorder.take(.saying(" Zither", 1))
            #expect(try await other.transcript(of: writer.id).text == "Zither")
            let rest = chunk(32_000, 8000, tone: 53)
            audio.append(rest)
            await audio.close()
            #expect(try await store.export(audioOf: writer.id) == silence(32_000) + rest.samples)
        }

        @Test func aContinuedClearedSessionHasOnlyItsNewAudio() async throws {
            let store = try await folder.store()
            let id = try await store.interrupt { writer in
                let first = try await writer.makeRecorder(from: 0)
                first.append(chunk(0, 16_000))
                await first.close()
                try await writer.append([.saying(" Xylophone", 0)])
                try await writer.clear()
                #expect(try audioFiles().isEmpty)
                await expectError(.audioNotFound) { _ = try await store.export(audioOf: writer.id) }
            }
            let again = try await store.resume(id)
            let second = try await again.writer.makeRecorder(from: again.text.position)
            let rest = chunk(0, 8000, tone: 53)
            second.append(rest)
            await second.close()
            #expect(try audioFiles().count == 1)
            #expect(try await store.export(audioOf: id).suffix(8000) == rest.samples[...])
        }
    }
#endif
