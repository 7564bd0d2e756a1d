import CSteno
import Foundation
import Steno
import StenoCore

/// A live session that runs, its audio, and its events for one reader.
///
/// The events stay in the session's buffer, whose limit holds, until the reader asks for them.
///
/// `@unchecked Sendable`: the task is set once, before the session has a reader; the memory is used only by the reader.
final class LiveHandle: @unchecked Sendable {
    private struct State {
        var ending: Result<Void, any Error>?
        /// Whether it was cancelled before, so that the events that wait are dropped.
        var isCancelled = false
    }

    let input: AudioInput
    private let events: TranscriptionEvents
    private let state = Monitor(State())
    private var task: Task<Void, Never>?
    /// The line that the reader has.
    private var current: UnsafeMutablePointer<CChar>?

    init(_ input: AudioInput, _ session: LiveTranscription, _ events: TranscriptionEvents) {
        self.input = input
        self.events = events
        task = Task.detached { [state] in
            let ending: Result<Void, any Error>
            do { ending = .success(try await session.wait()) } catch { ending = .failure(error) }
            // Nobody reads the audio any more, so a thread that waits for room must not wait on.
            input.finish()
            state.update { $0.ending = $0.ending ?? ending }
        }
    }

    deinit {
        cancel()
        free(current)
    }

    func cancel() {
        state.update { state in
            guard state.ending == nil else { return }
            state = State(ending: .failure(CancellationError()), isCancelled: true)
        }
        input.finish()
        events.finish()
        // Cancels the session, for which it waits.
        task?.cancel()
    }

    /// Adds a block, or returns false if it does not fit.
    ///
    /// - Throws: `StenoError`: `engineState` after the end of the audio, `invalidOption` for an impossible length.
    func push(_ samples: UnsafePointer<Float>, _ frames: Int) throws -> Bool {
        guard try !input.push(samples, frames: possible(frames)) else { return true }
        guard !input.hasEnded else {
            throw StenoError(.engineState, "The audio of this session has ended. Start another session for more.")
        }
        return false
    }

    /// Returns when a block fits, or when the session has ended, which pushing then reports.
    func waitForRoom(_ frames: Int) throws {
        let frames = try possible(frames)
        try blocking { [input] in try await input.waitForRoom(frames: frames) }
    }

    private func possible(_ frames: Int) throws -> Int {
        try StenoC.possible(frames, "frames", size: input.channels * MemoryLayout<Float>.stride)
    }

    /// The next event as a line of JSON, which lives until the next call; negative seconds wait without limit.
    ///
    /// - Throws: The error that ended the session, after the last event.
    func next(_ seconds: Double) throws -> (status: Int, json: UnsafePointer<CChar>?) {
        free(current)
        current = nil
        let limit = seconds >= 0 ? Date(timeIntervalSinceNow: min(seconds, 1e8)) : nil
        let next = events.block(before: limit)
        if state.read(\.isCancelled) { throw CancellationError() }
        guard let next else { return (STENO_TIMED_OUT, nil) }
        if let event = next {
            current = strdup(event.jsonLine)
            return (STENO_OK, UnsafePointer(current))
        }
        guard let ending = state.block(before: limit, until: { $0.ending }) else { return (STENO_TIMED_OUT, nil) }
        try ending.get()
        return (STENO_END, nil)
    }
}
