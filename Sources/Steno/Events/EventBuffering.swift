/// The events that a slow reader may lose; text is never lost.
package struct EventBuffering: Sendable, Hashable {
    /// The number of unread events at which older ones are merged; nil keeps every event.
    let limit: Int?

    /// Keeps every event, however many are unread: for readers that record, and for tests.
    package static let unbounded = EventBuffering(limit: nil)

    /// Keeps at most about `limit` unread events.
    ///
    /// When there are more, unread levels are dropped first, then partial text that later text has replaced. If that is
    /// not enough, all unread events become one ``TranscriptionEvent/Kind/snapshot`` with all text so far, so memory
    /// does not grow with unread events; the other reports among them (discontinuities, errors) are then lost.
    package static func bounded(_ limit: Int) -> EventBuffering { EventBuffering(limit: max(8, limit)) }

    /// About a minute of events.
    package static let standard = bounded(1024)
}
