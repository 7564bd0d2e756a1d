#if Store
    public import Foundation
    import GRDB
    import Steno

    extension SessionWriter {
        /// Makes what writes the audio of the session, from a time in seconds on.
        func makeRecorder(from start: Double) async throws -> LiveRecorder {
            let number = try await store.write { [row] database in
                let known = try Int.fetchOne(
                    database, sql: "SELECT MAX(number) FROM recording WHERE session_id = ?", arguments: [row])
                let number = (known ?? 0) + 1
                try database.execute(
                    sql: "INSERT INTO recording (session_id, number, start) VALUES (?, ?, ?)",
                    arguments: [row, number, start])
                return number
            }
            let file = store.files.audio(of: id, part: number, isSealed: store.isEncrypted)
            guard store.isEncrypted else { return try LiveRecorder(file) }
            return LiveRecorder(file, overwriting: false) { [sealer = store.sealer] url, _ in
                try SealedAudioWriter(url, sealer)
            }
        }
    }

    extension TranscriptStore {
        /// Whether audio of a session is kept.
        ///
        /// - Throws: `StenoError.sessionNotFound`.
        public func hasAudio(_ id: UUID) async throws -> Bool {
            try await parts(of: id).contains { FileManager.default.fileExists(atPath: $0.file.path) }
        }

        /// Writes the audio of a session to a WAV file (16 kHz, mono, 16 bits), decrypted.
        ///
        /// The times of the text are those of the file: between the parts of a session that was continued there is
        /// silence.
        ///
        /// - Parameter overwriting: Whether an existing file is replaced; if not, it is an error.
        /// - Throws: `StenoError`: `sessionNotFound`, `audioNotFound` when no audio is kept, `historyDamaged`,
        ///   `outputFailed`.
        public func exportAudio(of id: UUID, to file: URL, overwriting: Bool = false) async throws {
            let parts = try await parts(of: id).filter { FileManager.default.fileExists(atPath: $0.file.path) }
            guard !parts.isEmpty else {
                throw StenoError(.audioNotFound, "The history has no audio of the session \(id).")
            }
            // The header of what is being recorded is the recorder's.
            let canRepair = !files.isLocked(id)
            try await Worker.run("steno.store", stack: .shallow) { [sealer] flag in
                let writer = try WAVWriter(file, overwriting: overwriting)
                var length = 0
                func append(_ samples: [Float]) throws {
                    if flag.isCancelled { throw CancellationError() }
                    try writer.write(samples)
                    length += samples.count
                }
                for part in parts {
                    while part.startSample > length {
                        try append([Float](repeating: 0, count: min(part.startSample - length, AudioFile.sampleRate)))
                    }
                    try part.read(sealer, canRepair: canRepair, append)
                }
                try writer.close()
            }
        }

        private func parts(of id: UUID) async throws -> [AudioPart] {
            try await read { [self] database in
                try Row.fetchAll(
                    database, sql: "SELECT number, start FROM recording WHERE session_id = ? ORDER BY number",
                    arguments: [row(id, in: database).id]
                ).map { AudioPart(file: files.audio(of: id, part: $0[0], isSealed: isEncrypted), start: $0[1]) }
            }
        }

        /// The files with the audio of a session.
        func audioFiles(of session: SessionRow, in database: Database) throws -> [URL] {
            guard let id = UUID(uuidString: session.uuid) else { return [] }
            return try Int.fetchAll(
                database, sql: "SELECT number FROM recording WHERE session_id = ?", arguments: [session.id]
            ).map { files.audio(of: id, part: $0, isSealed: isEncrypted) }
        }
    }

    /// A part of the audio of a session.
    private struct AudioPart: Sendable {
        let file: URL
        /// Where it begins in the session, in seconds.
        let start: Double

        var startSample: Int { Int((start * Double(AudioFile.sampleRate)).rounded()) }

        /// Passes on all samples, in pieces; the header of a recording that was cut off is repaired first.
        func read(_ sealer: Sealer, canRepair: Bool, _ body: ([Float]) throws -> Void) throws {
            if sealer.isSealing {
                let reader = try SealedAudioReader(file, sealer)
                while let samples = try reader.next() { try body(samples) }
                return
            }
            if canRepair { try WAVRepair.repair(file) }
            let audio = try AudioFile.open(file)
            var buffer = [Float](repeating: 0, count: AudioFile.sampleRate)
            while true {
                let count = try buffer.withUnsafeMutableBufferPointer { try audio.read(into: $0) }
                if count == 0 { return }
                try body(Array(buffer[..<count]))
            }
        }
    }
#endif
