import CSteno
import Foundation
import Steno
import StenoCore

/// A live session that runs, its audio, and its events for one reader.
///
/// `@unchecked Sendable`: the tasks are set once, before the session has a reader; the rest is used only by the reader.
final class LiveHandle: @unchecked Sendable {
    let input: AudioInput
    private let queue = EventQueue<String>()
    private let session: LiveTranscription
    private var task: Task<Void, Never>?
    /// The line that the reader has.
    private var current: UnsafeMutablePointer<CChar>?

    init(_ input: AudioInput, _ session: LiveTranscription, _ events: TranscriptionEvents) {
        self.input = input
        self.session = session
        task = Task.detached { [queue] in
            for await event in events { queue.put(event.jsonLine) }
            // Nobody reads the audio any more, so a thread that waits for room must not wait on.
            input.finish()
            do {
                try await session.wait()
                queue.end(.success(()))
            } catch {
                queue.end(.failure(error))
            }
        }
    }

    deinit {
        cancel()
        free(current)
    }

    func cancel() {
        input.finish()
        queue.cancel()
        // The session is cancelled when its last reference is gone; waiting for it is cancelled here.
        task?.cancel()
    }

    /// Returns when a block fits, or when the session has ended, which pushing then reports.
    func waitForRoom(_ frames: Int) throws {
        try blocking { [input] in try await input.waitForRoom(frames: frames) }
    }

    /// The next event as a line of JSON, which lives until the next call.
    func next(_ seconds: Double) throws -> (status: Int, json: UnsafePointer<CChar>?) {
        free(current)
        current = nil
        switch try queue.next(seconds) {
        case .timedOut: return (STENO_TIMED_OUT, nil)
        case .end: return (STENO_END, nil)
        case .element(let line):
            current = strdup(line)
            return (STENO_OK, UnsafePointer(current))
        }
    }
}
