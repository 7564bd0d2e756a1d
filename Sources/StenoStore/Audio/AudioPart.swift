#if Store
    import Foundation
    import GRDB
    import Steno

    struct AudioPart: Sendable {
        let file: URL
        /// Where it begins in the session, in seconds.
        let start: Double

        var startSample: Int { Int((start * Double(AudioFile.sampleRate)).rounded()) }

        /// The length of its readable audio in seconds; the header is repaired first.
        ///
        /// - Parameter step: Called for each second.
        func duration(_ sealer: Sealer, _ step: () throws -> Void) throws -> Double {
            var length = 0
            do {
                guard sealer.isSealing else {
                    try WAVRepair.repair(file)
                    return try AudioFile.open(file).duration ?? 0
                }
                try read(sealer, canRepair: true) {
                    try step()
                    length += $0.count
                }
            } catch is StenoError {
                // Damage is reported when the audio is exported.
            }
            return Double(length) / Double(AudioFile.sampleRate)
        }

        /// Passes on all samples, in pieces; repairs the header of an interrupted recording first.
        func read(_ sealer: Sealer, canRepair: Bool, _ body: ([Float]) throws -> Void) throws {
            if canRepair, !sealer.isSealing { try WAVRepair.repair(file) }
            let next = try pieces(sealer)
            while let samples = try next() { try body(samples) }
        }

        /// Returns a function that gives the next samples at each call, and nil at the end.
        func pieces(_ sealer: Sealer) throws -> () throws -> [Float]? {
            if sealer.isSealing {
                let reader = try SealedAudioReader(file, sealer)
                return { try reader.next() }
            }
            let audio = try AudioFile.open(file)
            return {
                var buffer = [Float](repeating: 0, count: AudioFile.sampleRate)
                let count = try buffer.withUnsafeMutableBufferPointer { try audio.read(into: $0) }
                return count == 0 ? nil : Array(buffer[..<count])
            }
        }
    }

    extension AudioPart {
        /// The number of a session's last part; 0 without audio.
        static func last(of session: Int64, in database: Database) throws -> Int {
            try Int.fetchOne(
                database, sql: "SELECT MAX(number) FROM recording WHERE session_id = ?", arguments: [session]) ?? 0
        }

        /// Records a new part, and returns its number, before its file exists: otherwise no deletion would find the
        /// file.
        static func add(to session: Int64, from start: Double, in database: Database) throws -> Int {
            let number = try last(of: session, in: database) + 1
            try database.execute(
                sql: "INSERT INTO recording (session_id, number, start) VALUES (?, ?, ?)",
                arguments: [session, number, start])
            return number
        }

        /// Removes the parts, whose files were deleted, and records a new one where the audio continues.
        ///
        /// - Parameter start: Where it continues, in seconds; nil if no audio is recorded.
        /// - Returns: The number of the last part, which is never reused; 0 without audio.
        static func replaceAll(of session: Int64, from start: Double?, in database: Database) throws -> Int {
            var number = try last(of: session, in: database)
            if let start { number = try add(to: session, from: start, in: database) }
            try database.execute(
                sql: "DELETE FROM recording WHERE session_id = ? AND number < ?", arguments: [session, number])
            return number
        }
    }
#endif
