#if Store
    import GRDB

    extension AudioPart {
        /// The number of the last part of a session; 0 without audio.
        static func last(of session: Int64, in database: Database) throws -> Int {
            try Int.fetchOne(
                database, sql: "SELECT MAX(number) FROM recording WHERE session_id = ?", arguments: [session]) ?? 0
        }

        /// Notes a further part, before there is a file of it: without the note no deletion would find the file.
        ///
        /// - Returns: Its number.
        static func add(to session: Int64, from start: Double, in database: Database) throws -> Int {
            let number = try last(of: session, in: database) + 1
            try database.execute(
                sql: "INSERT INTO recording (session_id, number, start) VALUES (?, ?, ?)",
                arguments: [session, number, start])
            return number
        }

        /// Forgets the parts, whose files are removed, and notes another one where the audio continues.
        ///
        /// - Parameter start: Where it continues, in seconds; nil if no audio is recorded.
        /// - Returns: The number of the last part, whose name no other part will have; 0 without audio.
        static func replaceAll(of session: Int64, from start: Double?, in database: Database) throws -> Int {
            var number = try last(of: session, in: database)
            if let start { number = try add(to: session, from: start, in: database) }
            try database.execute(
                sql: "DELETE FROM recording WHERE session_id = ? AND number < ?", arguments: [session, number])
            return number
        }
    }
#endif
