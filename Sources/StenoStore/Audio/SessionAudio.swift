#if Store
    import Foundation
    import Steno

    /// The audio of a session while it is recorded: a file, and another one each time the transcript is cleared.
    ///
    /// `@unchecked Sendable`: what changes is accessed under the lock.
    final class SessionAudio: RecordingWriter, @unchecked Sendable {
        private let session: UUID
        private let files: StoreFolder
        private let sealer: Sealer
        /// The seconds of a clock that continues while the machine sleeps.
        private let now: @Sendable () -> Double

        private let lock = NSLock()
        private weak var recorder: LiveRecorder?
        private var part = 0
        /// What writes the part, from its first audio on.
        private var writer: (any RecordingWriter)?
        /// The position in the session after the last sample.
        private var position = 0
        /// When position 0 of the session was, by the clock; a recording that continues one has its times.
        ///
        /// Nil for audio that comes as fast as it is taken.
        private var began: Double?
        /// The samples of silence at the beginning of the part that are still to be written.
        private var silence = 0
        /// Whether new audio is left out.
        private var isStopped = false

        init(
            _ session: UUID, _ files: StoreFolder, _ sealer: Sealer,
            now: @escaping @Sendable () -> Double = { [start = ContinuousClock.now] in
                (ContinuousClock.now - start) / Duration.seconds(1)
            }
        ) {
            (self.session, self.files, self.sealer, self.now) = (session, files, sealer, now)
        }

        /// Makes what takes the audio of a part, which begins at a time in seconds.
        ///
        /// - Parameter isRealTime: Whether the audio is no faster than the clock.
        func makeRecorder(_ part: Int, from start: Double, isRealTime: Bool = true) throws -> LiveRecorder {
            let file = file(part)
            var outputs = OutputFiles(overwriting: false)
            try outputs.check(file)
            let recorder = LiveRecorder(file, overwriting: false) { _, _ in self }
            lock.withLock {
                try? writer?.close()
                writer = nil
                (self.part, position, silence, isStopped) = (part, start.samples, 0, false)
                began = isRealTime ? now() - start : nil
                self.recorder = recorder
            }
            return recorder
        }

        // MARK: Clearing

        /// Leaves out audio from now on; returns when all earlier audio is on disk.
        ///
        /// The files may be removed then; ``begin(_:from:)`` begins another one.
        func stop() async {
            let recorder = lock.withLock { () -> LiveRecorder? in
                isStopped = true
                try? writer?.close()
                writer = nil
                return self.recorder
            }
            // Audio held back by a full disk is retried only with the next chunk.
            recorder?.append(AudioChunk(position: 0, samples: []))
            await recorder?.flush()
        }

        /// Where the audio continues, in seconds; nil if none is recorded.
        ///
        /// - Parameter time: The time in the session, in seconds: gaps that were left out made the audio earlier. Exports
        ///   have silence up to there, and a client of the server numbers its samples as it likes: of audio in real time
        ///   no more is believed than has passed since the session began, and what a recorder may be ahead of that.
        func end(atLeast time: Double) -> Double? {
            lock.withLock {
                guard recorder != nil else { return nil }
                let latest = began.map { now() - $0 + LiveRecorder.longestSilence } ?? .infinity
                position = max(position, min(time, latest).samples)
                return position.seconds
            }
        }

        /// Begins another part at a time in seconds; audio left out since the last part becomes silence.
        func begin(_ part: Int, from start: Double) {
            lock.withLock {
                (self.part, silence, isStopped) = (part, max(0, position - start.samples), false)
            }
        }

        // MARK: RecordingWriter

        func write(_ samples: [Float]) throws {
            try lock.withLock {
                if !isStopped { try record(samples) }
                position += samples.count
            }
        }

        func close() throws {
            try lock.withLock {
                defer { writer = nil }
                try writer?.close()
            }
        }

        var isRemoved: Bool { lock.withLock { writer?.isRemoved ?? false } }

        func restore() throws { try lock.withLock { try writer?.restore() } }

        private func record(_ samples: [Float]) throws {
            let writer = try self.writer ?? makeWriter()
            self.writer = writer
            // In pieces: while a full disk keeps a clear from happening, hours may be left out.
            while silence > 0 {
                let count = min(silence, AudioFile.sampleRate)
                try writer.write([Float](repeating: 0, count: count))
                silence -= count
            }
            try writer.write(samples)
        }

        private func makeWriter() throws -> any RecordingWriter {
            guard !sealer.isSealing else { return try SealedAudioWriter(file(part), sealer) }
            return try WAVWriter(
                file(part), updatingEvery: LiveRecorder.updateInterval, overwriting: false, isPrivate: true)
        }

        private func file(_ part: Int) -> URL { files.audio(of: session, part: part, isSealed: sealer.isSealing) }
    }
#endif
