#if Server
    import Foundation
    import Steno
    import StenoStore

    /// Finds sessions by the first characters of their id, or by `last`.
    enum SessionName {
        /// What `steno history list` shows.
        static func short(_ id: UUID) -> String { String(id.uuidString.lowercased().prefix(8)) }

        /// The session of that name.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`; `invalidOption` if several sessions match.
        static func find(_ name: String, in sessions: [StoredSession]) throws -> StoredSession {
            if name.lowercased() == "last", let newest = sessions.first { return newest }
            let found = sessions.filter { !name.isEmpty && $0.id.uuidString.lowercased().hasPrefix(name.lowercased()) }
            guard let session = found.first else {
                throw StenoError(.sessionNotFound, "There is no session \(name). Run steno history list for a list.")
            }
            guard found.count == 1 else {
                let names = found.prefix(5).map { short($0.id) }.joined(separator: ", ")
                throw StenoError(
                    .invalidOption, "The ids of several sessions begin with \(name): \(names). Type more characters.")
            }
            return session
        }
    }

    /// Times of sessions for people, in the time zone of this machine.
    enum SessionTime {
        /// Minutes for lists: `2026-11-22 16:40`.
        static func date(_ date: Date) -> String { format(date, "yyyy-MM-dd HH:mm") }

        /// Minutes for names of files: `2026-11-22-1640`.
        static func fileName(_ date: Date) -> String { format(date, "yyyy-MM-dd-HHmm") }

        /// Hours, minutes and seconds: `1:02:03`.
        static func duration(_ seconds: Double) -> String {
            let whole = Int(seconds.rounded())
            return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
        }

        private static func format(_ date: Date, _ pattern: String) -> String {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = pattern
            return formatter.string(from: date)
        }
    }
#endif
