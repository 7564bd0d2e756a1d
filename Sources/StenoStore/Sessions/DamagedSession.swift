#if Store
    import Foundation
    import GRDB
    import Steno

    extension SessionRow {
        /// Reads a row, whatever it contains; throws `StenoError.historyDamaged`.
        init(checking row: Row) throws {
            let known: SessionRow
            do { known = try SessionRow(row: row) } catch {
                throw Self.damaged(Self.identity(of: row).uuidString, error)
            }
            guard UUID(uuidString: known.uuid) != nil, Plausible.date(known.started) != nil,
                Plausible.date(known.ended ?? 0) != nil, Plausible.length(known.duration) != nil
            else { throw Self.damaged(Self.identity(of: row).uuidString, nil) }
            self = known
        }

        /// The identity of a session; if it is damaged, one derived from the row number, by which the session can be
        /// deleted.
        static func identity(of row: Row) -> UUID {
            let known: String? = row.readable("uuid")
            return known.flatMap(UUID.init(uuidString:)) ?? standIn(row.readable("id") ?? 0)
        }

        /// Real identities never have these zeros, because their digits are random.
        private static func standIn(_ number: Int64) -> UUID {
            let byte = { (index: Int) in UInt8(truncatingIfNeeded: number >> Int64(8 * index)) }
            return UUID(
                uuid: (byte(3), byte(2), byte(1), byte(0), byte(7), byte(6), byte(5), byte(4), 0, 0, 0, 0, 0, 0, 0, 0))
        }

        static func damaged(_ name: String, _ error: (any Error)?) -> StenoError {
            StenoError(
                .historyDamaged,
                "The record of the session \(name) in the history is damaged. Delete it; the others can still be "
                    + "read.", underlying: error)
        }
    }

    extension SegmentRow {
        /// Reads a row, whatever it contains; throws `StenoError.historyDamaged`.
        ///
        /// Records are not fetched directly, because that takes a value of another type for zero.
        init(checking row: Row) throws {
            do { self = try SegmentRow(row: row) } catch { throw Self.damaged(error) }
        }

        /// Throws `StenoError.historyDamaged` unless the times can be those of a segment.
        func checkTimes() throws {
            guard Plausible.time(start) != nil, Plausible.time(end) != nil else { throw Self.damaged(nil) }
        }

        static func damaged(_ error: (any Error)?) -> StenoError {
            StenoError(
                .historyDamaged,
                "The record of a segment in the history is damaged. Delete its session; the others can still be read.",
                underlying: error)
        }
    }

    extension StoredSession {
        /// A session whose row is damaged, with its readable properties.
        init(damaged row: Row) {
            let duration = Plausible.length(row.readable("duration")) ?? 0
            // Its age is unknown, so it is not deleted with old sessions.
            let start = Plausible.date(row.readable("started")) ?? .distantFuture
            self.init(
                id: SessionRow.identity(of: row), title: "", source: "", start: start,
                end: Plausible.date(row.readable("ended")) ?? start.addingTimeInterval(duration), duration: duration,
                language: row.readable("language"), model: row.readable("model"), state: .damaged,
                segmentCount: row.readable("segments") ?? 0)
        }
    }

    /// Plausible numbers of a session: others, such as infinity, cannot be formatted as times and lengths.
    enum Plausible {
        /// A date in the current millennia, from seconds since 1970.
        static func date(_ seconds: Double?) -> Date? { time(seconds).map(Date.init(timeIntervalSince1970:)) }

        /// A time in seconds from the start of a session.
        static func time(_ seconds: Double?) -> Double? { seconds.flatMap { abs($0) <= 1e11 ? $0 : nil } }

        /// A length in seconds.
        static func length(_ seconds: Double?) -> Double? { time(seconds).flatMap { $0 >= 0 ? $0 : nil } }
    }

    extension Row {
        /// The value of a column; nil if it has none, or one of another type.
        ///
        /// GRDB's own subscripts end the process instead.
        func readable<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
            let value: DatabaseValue = self[column]
            return Value.fromDatabaseValue(value)
        }
    }
#endif
