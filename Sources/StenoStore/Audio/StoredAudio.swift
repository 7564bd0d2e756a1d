#if Store
    import Foundation
    import Steno

    /// The audio of a session, decrypted piece by piece and never written to disk.
    ///
    /// The times of the text match it, as in ``TranscriptStore/exportAudio(of:to:overwriting:)``.
    /// `@unchecked Sendable`: all mutable state is accessed under the lock.
    package final class StoredAudio: @unchecked Sendable {
        /// The number of samples (16 kHz, mono).
        package let count: Int

        private let parts: [AudioPart]
        private let sealer: Sealer
        private let lock = NSLock()
        private var position = 0
        private var part = 0
        private var pieces: (() throws -> [Float]?)?

        /// Reads all of it once, so that damage is found before anything is passed on.
        ///
        /// - Parameter step: Called for each piece.
        /// - Throws: `StenoError.historyDamaged`, and errors that `step` throws.
        init(_ parts: [AudioPart], _ sealer: Sealer, canRepair: Bool, _ step: () throws -> Void) throws {
            var length = 0
            for part in parts {
                length = max(length, part.startSample)
                try part.read(sealer, canRepair: canRepair) {
                    try step()
                    length += $0.count
                }
            }
            (count, self.parts, self.sealer) = (length, parts, sealer)
        }

        /// The next samples, about a second of them; nil at the end.
        ///
        /// - Throws: `StenoError.historyDamaged`, `CancellationError`.
        package func next() async throws -> [Float]? {
            try await Worker.run("steno.store", stack: .shallow) { [self] _ in
                try lock.withLock {
                    let samples = try piece()
                    position += samples?.count ?? 0
                    return samples
                }
            }
        }

        private func piece() throws -> [Float]? {
            // Audio recorded in the meantime is left out.
            while position < count {
                if let pieces {
                    guard let samples = try pieces() else {
                        self.pieces = nil
                        continue
                    }
                    if samples.isEmpty { continue }
                    return Array(samples.prefix(count - position))
                }
                // If a recording has become shorter, the rest is silence.
                guard parts.indices.contains(part) else { return silence(upTo: count) }
                if position < parts[part].startSample { return silence(upTo: parts[part].startSample) }
                pieces = try parts[part].pieces(sealer)
                part += 1
            }
            return nil
        }

        private func silence(upTo end: Int) -> [Float] {
            [Float](repeating: 0, count: min(end - position, AudioFile.sampleRate))
        }
    }
#endif
