#if Store
    public import Foundation
    import GRDB
    package import Steno

    extension SessionWriter {
        /// Creates the recorder for the session's audio, from a time in seconds on.
        ///
        /// - Parameter isRealTime: Whether the audio arrives in real time; if so, its times are trusted only up to the
        ///   elapsed time.
        package func makeRecorder(from start: Double, isRealTime: Bool = true) async throws -> LiveRecorder {
            let part = try await store.write { [row] in try AudioPart.add(to: row, from: start, in: $0) }
            return try audio.makeRecorder(part, from: start, isRealTime: isRealTime)
        }
    }

    extension TranscriptStore {
        /// Whether a session has audio.
        ///
        /// - Throws: `StenoError.sessionNotFound`.
        public func hasAudio(_ id: UUID) async throws -> Bool { try await recordings(of: id).contains(where: \.isKept) }

        /// Writes the audio of a session to a WAV file (16 kHz, mono, 16 bits), decrypted.
        ///
        /// The times of the text match the file: there is silence between the parts of a continued session. Only gaps
        /// of more than 30 s in the source, for example while the computer slept, are left out, so that later audio is
        /// earlier in the file. After a failure, the previous file is still there.
        ///
        /// - Parameter overwriting: Whether to replace an existing file; otherwise it is an error.
        /// - Throws: `StenoError`: `sessionNotFound`, `audioNotFound` if the session has no audio, `historyDamaged`,
        ///   `outputFailed`.
        public func exportAudio(of id: UUID, to file: URL, overwriting: Bool = false) async throws {
            let parts = try await keptParts(of: id)
            // During recording, the recorder owns the header.
            let canRepair = !files.isLocked(id)
            try await Worker.run("steno.store", stack: .shallow) { [sealer] flag in
                var outputs = OutputFiles(overwriting: overwriting)
                try outputs.check(file)
                try AtomicFile.make(file, overwriting: overwriting) { path, mode in
                    let output = try AudioOutput(path, mode: mode)
                    for part in parts {
                        try output.append(silenceUpTo: part.startSample) { try flag.check() }
                        try part.read(sealer, canRepair: canRepair) {
                            try flag.check()
                            try output.append($0)
                        }
                    }
                    try output.close()
                }
            }
        }

        /// The audio of a session, to be read piece by piece without a file.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`, `audioNotFound` if the session has no audio, `historyDamaged`.
        package func audio(of id: UUID) async throws -> StoredAudio {
            let parts = try await keptParts(of: id)
            let canRepair = !files.isLocked(id)
            return try await Worker.run("steno.store", stack: .shallow) { [sealer] flag in
                try StoredAudio(parts, sealer, canRepair: canRepair) { try flag.check() }
            }
        }

        /// Where the audio of a session ends, in seconds; 0 without audio.
        ///
        /// The caller holds the lock of the session. For damaged audio it is the end of the readable part: an export
        /// reports the damage, and the text can still be continued.
        func endOfAudio(of id: UUID) async throws -> Double {
            let parts = try await recordings(of: id).filter(\.isKept).compactMap(\.part)
            return try await Worker.run("steno.store", stack: .shallow) { [sealer] flag in
                try parts.map { try $0.start + $0.duration(sealer) { try flag.check() } }.max() ?? 0
            }
        }

        private func keptParts(of id: UUID) async throws -> [AudioPart] {
            let recordings = try await recordings(of: id)
            guard recordings.allSatisfy({ $0.file != nil }) else { throw Self.damagedAudio(of: id) }
            let parts = try recordings.filter(\.isKept).map { recording in
                guard let part = recording.part else { throw Self.damagedAudio(of: id) }
                return part
            }
            guard !parts.isEmpty else {
                throw StenoError(.audioNotFound, "The history has no audio of the session \(id).")
            }
            return parts
        }

        private static func damagedAudio(of id: UUID) -> StenoError {
            StenoError(
                .historyDamaged,
                "The record of the audio of the session \(id) in the history is damaged. Its text can still be read.")
        }

        /// A row of the table `recording`, with what of it can be read.
        private struct Recording {
            let file: URL?
            let start: Double?

            var isKept: Bool { file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false }

            var part: AudioPart? {
                guard let file, let start else { return nil }
                return AudioPart(file: file, start: start)
            }
        }

        private func recordings(of id: UUID) async throws -> [Recording] {
            try await read { [self] database in
                try Row.fetchAll(
                    database, sql: "SELECT number, start FROM recording WHERE session_id = ? ORDER BY number",
                    arguments: [key(of: id, in: database)]
                ).map { row in
                    let number: Int? = row.readable("number")
                    return Recording(
                        file: number.map { files.audio(of: id, part: $0, isSealed: isEncrypted) },
                        start: Plausible.length(row.readable("start")))
                }
            }
        }

        func audioFiles(of id: UUID, _ row: Int64, in database: Database) throws -> [URL] {
            try Int.fetchAll(
                database, sql: "SELECT number FROM recording WHERE session_id = ?", arguments: [row]
            ).map { files.audio(of: id, part: $0, isSealed: isEncrypted) }
        }
    }

    extension CancellationFlag {
        fileprivate func check() throws { if isCancelled { throw CancellationError() } }
    }

    /// A WAV file that replaces another when it is complete (``AtomicFile``).
    ///
    /// Errors are thrown as the system's, without the file's temporary name, which would mean nothing to the user.
    final class AudioOutput {
        private let writer: WAVWriter
        /// The samples so far.
        private var length = 0

        /// - Parameter mode: The permissions of the file that it replaces, if there is one.
        init(_ path: String, mode: mode_t?) throws {
            writer = try Self.unnamed { try WAVWriter(URL(fileURLWithPath: path), overwriting: false) }
            if let mode, chmod(path, mode) != 0 { throw SystemCallError(call: "chmod") }
        }

        func append(_ samples: [Float]) throws {
            try Self.unnamed { try writer.write(samples) }
            length += samples.count
        }

        /// Appends silence up to a position in samples; calls `step` for each second of it.
        func append(silenceUpTo end: Int, _ step: () throws -> Void) throws {
            while end > length {
                try step()
                try append([Float](repeating: 0, count: min(end - length, AudioFile.sampleRate)))
            }
        }

        func close() throws { try Self.unnamed { try writer.close() } }

        private static func unnamed<Value>(_ body: () throws -> Value) throws -> Value {
            do { return try body() } catch let error as StenoError { throw error.underlying ?? error }
        }
    }
#endif
