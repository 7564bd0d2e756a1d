internal import CStenoKernels
import StenoCore

/// A ring buffer that passes interleaved frames of audio from a thread that must not wait to one that may.
///
/// It has one writer and one reader. The writer neither allocates nor locks (`steno_ring.h`).
///
/// `@unchecked Sendable`: the ring's counters are atomic. Callers guarantee that one thread writes at a time, and only
/// the thread that claimed the ring reads.
package final class SampleRing: @unchecked Sendable {
    private let ring: OpaquePointer
    private let channels: Int

    /// - Throws: `outOfMemory`.
    package init(frames: Int, channels: Int) throws {
        let ring = try unwrap(
            steno_ring_create(frames, channels), or: .outOfMemory,
            "There is not enough memory for a buffer of \(frames) frames of audio. Use a shorter one.")
        (self.ring, self.channels) = (ring, channels)
    }

    deinit { steno_ring_destroy(ring) }

    /// Adds interleaved frames; returns false if they were dropped.
    @inline(__always)
    package func push(_ samples: UnsafePointer<Float>, frames: Int) -> Bool { steno_ring_push(ring, samples, frames) }

    /// Adds frames from one array per channel; returns false if they were dropped.
    @inline(__always)
    package func push(planar: UnsafePointer<UnsafePointer<Float>?>, frames: Int) -> Bool {
        steno_ring_push_planar(ring, planar, frames)
    }

    /// The maximum number of frames that a push can add now; the whole ring after the end.
    ///
    /// Call it only while nothing is being pushed.
    @inline(__always)
    package var freeFrames: Int { steno_ring_free(ring) }

    /// Ends the audio; returns whether a task may be waiting for room and must be woken.
    @discardableResult
    package func end() -> Bool { steno_ring_end(ring) }

    /// Announces that a task is about to wait for room, so that ``end()`` reports it.
    package func wantRoom() { steno_ring_want_room(ring) }

    /// Whether a task has ever waited for room, so that the writer can wait.
    package var roomIsWanted: Bool { steno_ring_room_is_wanted(ring) }

    package var hasEnded: Bool { steno_ring_has_ended(ring) }

    /// Makes the caller the reader; returns false if there already is one.
    package func claim() -> Bool { steno_ring_claim(ring) }

    /// What the reader gets: frames, a loss or the end.
    package enum Item: Sendable, Hashable {
        /// This many frames are in the reader's buffer.
        case frames(Int)
        /// This many frames were dropped here.
        case lost(Int)
        /// Nothing follows.
        case end
    }

    /// Blocks until there is something to read; fills at most the buffer's whole frames.
    package func pull(into buffer: UnsafeMutableBufferPointer<Float>) -> Item {
        guard let start = buffer.baseAddress else { return .end }
        var lost = 0, ended = false
        let count = steno_ring_pull(ring, start, buffer.count / channels, &lost, &ended)
        if count > 0 { return .frames(count) }
        return ended ? .end : .lost(lost)
    }
}
