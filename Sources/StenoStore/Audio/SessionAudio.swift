#if Store
    import Foundation
    import Steno

    /// The audio of a session during recording: a file, and a new one each time the transcript is cleared.
    ///
    /// `@unchecked Sendable`: all mutable state is accessed under the lock.
    final class SessionAudio: RecordingWriter, @unchecked Sendable {
        private let session: UUID
        private let files: StoreFolder
        private let sealer: Sealer
        /// The seconds of a clock that continues while the machine sleeps.
        private let now: @Sendable () -> Double

        private let lock = NSLock()
        private weak var recorder: LiveRecorder?
        private var part = 0
        /// The writer of the part; nil until its first audio.
        private var writer: (any RecordingWriter)?
        /// The position in the session after the last sample.
        private var position = 0
        /// The time of position 0 by the clock; a continued recording keeps its times.
        ///
        /// Nil for audio that arrives as fast as it is accepted.
        private var began: Double?
        /// The samples of silence still to be written at the beginning of the part.
        private var silence = 0
        private var isStopped = false

        init(
            _ session: UUID, _ files: StoreFolder, _ sealer: Sealer,
            now: @escaping @Sendable () -> Double = { [start = ContinuousClock.now] in
                (ContinuousClock.now - start) / Duration.seconds(1)
            }
        ) { (self.session, self.files, self.sealer, self.now) = (session, files, sealer, now) }

        /// Creates the recorder for a part that begins at a time in seconds.
        ///
        /// - Parameter isRealTime: Whether the audio arrives no faster than real time.
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

        /// Drops audio from now on; returns when all earlier audio is on disk.
        ///
        /// The files may then be removed; ``begin(_:from:)`` begins another one.
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
        /// - Parameter time: The time in the session, in seconds, to which exports are filled with silence; audio may
        ///   end earlier because of omitted gaps. Since a client of the server can number its samples as it likes,
        ///   real-time audio is trusted only up to the elapsed time and a recorder's longest lead.
        func end(atLeast time: Double) -> Double? {
            lock.withLock {
                guard recorder != nil else { return nil }
                let latest = began.map { now() - $0 + LiveRecorder.longestSilence } ?? .infinity
                position = max(position, min(time, latest).samples)
                return position.seconds
            }
        }

        /// Begins another part at a time in seconds; audio dropped since the last part becomes silence.
        func begin(_ part: Int, from start: Double) {
            lock.withLock { (self.part, silence, isStopped) = (part, max(0, position - start.samples), false) }
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
            // In pieces: there may be hours of it if a full disk has delayed a clear.
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
