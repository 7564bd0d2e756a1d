import Foundation
import Steno

extension AudioStreamTranscriber {
    /// The state of a stream: its audio and text so far.
    public struct State: Sendable, Hashable {
        /// Whether audio is arriving.
        public var isRecording = false
        /// Always 0: Steno does not report the temperatures that the last decoding of an utterance tries.
        public var currentFallbacks = 0
        /// The number of samples so far.
        public var lastBufferSize = 0
        /// The end of the last confirmed segment, in seconds.
        public var lastConfirmedSegmentEndSeconds: Float = 0
        /// The energy of each tenth of a second, from 0 to 1, the latest last, for the last half minute.
        public var bufferEnergy: [Float] = []
        /// The text that may still change; empty during silence.
        public var currentText = ""
        /// The final text: new segments are appended, and a full stop may be added to the last one.
        public var confirmedSegments: [TranscriptionSegment] = []
        /// The segments of ``currentText``.
        public var unconfirmedSegments: [TranscriptionSegment] = []
        /// The texts of ``unconfirmedSegments``.
        public var unconfirmedText: [String] = []

        /// Creates the state of a stream that has not started.
        public init() {}

        /// Applies the text that an event changed.
        mutating func apply(_ text: LiveTranscript) {
            let isLonger = confirmedSegments.count < text.finals.count
            let isAsLong = confirmedSegments.count == text.finals.count
            if isLonger || isAsLong && confirmedSegments.last?.text != text.finals.last?.text {
                let known = max(confirmedSegments.count - 1, 0)
                confirmedSegments.replaceSubrange(known..., with: text.finals[known...].map(TranscriptionSegment.init))
                lastConfirmedSegmentEndSeconds = confirmedSegments.last?.end ?? 0
            }
            currentText = text.partialText.trimmingWhitespace
            unconfirmedSegments = text.partials.map(TranscriptionSegment.init)
            unconfirmedText = text.partials.map(\.text)
        }
    }
}

/// Receives the state before and after a change, in order, on any thread; it must return soon.
public typealias AudioStreamTranscriberCallback =
    @Sendable (
        _ oldState: AudioStreamTranscriber.State, _ newState: AudioStreamTranscriber.State
    ) -> Void

/// Sends the states of a stream to any number of readers.
final class StateBroadcast: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.
    private let lock = NSLock()
    private var last = AudioStreamTranscriber.State()
    private var readers: [Int: AsyncStream<AudioStreamTranscriber.State>.Continuation] = [:]
    private var nextReader = 0

    deinit { finish() }

    /// The current state and those after it; a slow reader gets only the latest.
    func states() -> AsyncStream<AudioStreamTranscriber.State> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AudioStreamTranscriber.State.self, bufferingPolicy: .bufferingNewest(1))
        lock.withLock {
            continuation.yield(last)
            readers[nextReader] = continuation
            continuation.onTermination = { [weak self, nextReader] _ in self?.remove(nextReader) }
            nextReader += 1
        }
        return stream
    }

    func send(_ state: AudioStreamTranscriber.State) {
        let readers = lock.withLock {
            last = state
            return Array(self.readers.values)
        }
        for reader in readers { reader.yield(state) }
    }

    /// Ends the sequences of the current readers; later readers wait for the next stream.
    func finish() {
        let readers = lock.withLock {
            defer { self.readers = [:] }
            return Array(self.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func remove(_ reader: Int) { _ = lock.withLock { readers.removeValue(forKey: reader) } }
}
