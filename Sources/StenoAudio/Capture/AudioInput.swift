import Foundation
import StenoCore

/// Audio that the app pushes itself, such as from an audio device's callback, a call or the network.
///
///     let input = try AudioInput(sampleRate: 48_000, channels: 2)
///     let session = try await transcriber.live(.input(input))
///     device.onAudio = { samples, frames in input.push(samples, frames: frames) }
///     device.onEnd = { input.finish() }
///
/// ``push(_:frames:)`` is synchronous and safe on a real-time thread: it copies the samples into an existing buffer,
/// without locks or allocations. Only one thread at a time may push. The input's own thread mixes the channels and
/// resamples. If it falls behind and the buffer is full, a block that does not fit is dropped and replaced by silence,
/// so do not push a refused block again. If the session falls behind, ten minutes of audio are kept for it, and what
/// exceeds them is lost and reported. If the audio does not come from a device and can wait, wait for room before each
/// block; then nothing is lost, however slow the session is:
///
///     let input = try AudioInput(sampleRate: 16_000, channels: 1)
///     try await input.waitForRoom(frames: samples.count)
///     input.push(samples)
public final class AudioInput: Sendable {
    package let name: String
    /// Frames per second.
    package let sampleRate: Int
    /// Samples per frame.
    package let channels: Int

    let ring: SampleRing
    /// The number of frames that the buffer holds.
    private let capacity: Int
    /// The audio that is kept for a slow session, in seconds.
    private let bufferLimit: Double
    /// Tasks that wait for room; only the ring knows how much there is.
    private let room = Monitor(())

    /// Creates an input with an empty buffer.
    ///
    /// - Parameters:
    ///   - sampleRate: Frames per second, 1,000 to 768,000.
    ///   - channels: Samples per frame, 1 to 256.
    ///   - bufferDuration: The length of the buffer in seconds, 0.1 to 60; other values are clamped.
    ///   - name: The name in messages.
    /// - Throws: `StenoError`: `invalidOption` if the rate or the channel count is out of range; `outOfMemory`.
    public convenience init(
        sampleRate: Int, channels: Int = 1, bufferDuration: Double = 5, name: String = "the app's audio"
    ) throws {
        try self.init(
            sampleRate: sampleRate, channels: channels, bufferDuration: bufferDuration, name: name,
            bufferLimit: AudioStream.bufferLimit)
    }

    /// `bufferLimit` is in seconds, as of ``AudioStream/makeStream(format:bufferLimit:onStop:)``.
    package init(
        sampleRate: Int, channels: Int = 1, bufferDuration: Double = 5, name: String = "the app's audio",
        bufferLimit: Double
    ) throws {
        // `PCMFormat` checks the ranges.
        _ = try PCMFormat(.float32, sampleRate: sampleRate, channels: channels)
        (self.name, self.sampleRate, self.channels) = (name, sampleRate, channels)
        let seconds = bufferDuration.isNaN ? 5 : min(60, max(0.1, bufferDuration))
        let capacity = Int(seconds * Double(sampleRate))
        (self.capacity, self.bufferLimit) = (capacity, bufferLimit)
        ring = try SampleRing(frames: capacity, channels: channels)
    }

    deinit { ring.end() }

    /// Returns when a block of this many frames fits, so that the next push succeeds.
    ///
    /// It does not reserve room, so only the code that pushes may wait. Room appears only while a session reads the
    /// audio: from the first call on, the input takes no more than ten minutes ahead of the session. After a refused
    /// block there is none until the session has read the gap. After the end of the audio this returns immediately.
    ///
    /// - Throws: `StenoError.invalidOption` for a block longer than the buffer, or of a negative length;
    ///   `CancellationError`.
    public func waitForRoom(frames: Int) async throws {
        try ensure(frames >= 0, or: .invalidOption, "A block cannot have \(frames) frames.")
        try ensure(
            frames <= capacity, or: .invalidOption,
            "A block of \(frames) frames does not fit the buffer of \(name), which holds \(capacity): push "
                + "shorter blocks, or use a longer bufferDuration.")
        ring.wantRoom()
        try await room.wait { [ring] _ -> Void? in
            guard frames <= ring.freeFrames else { return nil }
            return ()
        }
    }

    /// Adds interleaved samples from −1 to 1; safe on a real-time thread.
    ///
    /// - Parameters:
    ///   - samples: `frames` × ``channels`` samples: the first of every channel, then the second of every channel.
    ///   - frames: The number of frames.
    /// - Returns: Whether the samples were accepted; false if they do not fit, which leaves a gap, or if the audio has
    ///   ended.
    @discardableResult
    public func push(_ samples: UnsafePointer<Float>, frames: Int) -> Bool {
        Self.possibleFrames.contains(frames) && ring.push(samples, frames: frames)
    }

    /// Adds samples in one array per channel, like `AVAudioPCMBuffer.floatChannelData`; safe on a real-time thread.
    ///
    /// - Returns: Whether the samples were accepted; false if they do not fit, which leaves a gap, or if the audio has
    ///   ended.
    @discardableResult
    public func push(planar: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) -> Bool {
        guard Self.possibleFrames.contains(frames) else { return false }
        // A pointer to a mutable array has the same layout as one to a read-only array.
        return planar.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: channels) {
            ring.push(planar: $0, frames: frames)
        }
    }

    /// Adds an array of interleaved samples; an incomplete frame at the end is ignored.
    ///
    /// - Returns: Whether the samples were accepted; false if they do not fit, which leaves a gap, or if the audio has
    ///   ended.
    @discardableResult
    public func push(_ samples: [Float]) -> Bool {
        samples.withUnsafeBufferPointer { buffer in
            // An empty array may have no address, and always fits.
            buffer.baseAddress.map { push($0, frames: buffer.count / channels) } ?? true
        }
    }

    /// The lengths of blocks that can be in memory.
    ///
    /// Another one is a mistake and not lost audio, so it leaves no gap: a few of them would exceed the range of
    /// positions.
    /// Computed, because a stored property might lock when it is first used.
    private static var possibleFrames: ClosedRange<Int> { 0...1 << 40 }

    package var hasEnded: Bool { ring.hasEnded }

    /// Ends the audio; a second call does nothing.
    ///
    /// Safe on a real-time thread, unless a task is waiting for room, because this wakes it.
    public func finish() { Self.end(ring, room) }

    private static func end(_ ring: SampleRing, _ room: Monitor<Void>) {
        if ring.end() { room.update { _ in } }
    }

    /// The stream of pushed audio, including audio pushed earlier.
    ///
    /// - Throws: `StenoError.captureUnavailable` at the second call: an input is one recording.
    package func start() async throws -> AudioStream {
        try ensure(
            ring.claim(), or: .captureUnavailable, "The audio of \(name) is already being read. Make a new input.")
        let (stream, queue) = AudioStream.makeStream(bufferLimit: bufferLimit) { [ring, room] in
            // The reader may be waiting for the session, so it cannot wake a task that waits for room.
            Self.end(ring, room)
        }
        let converting = RingReader(ring: ring, room: room, sampleRate: sampleRate, channels: channels)
        Worker.start("steno.capture", stack: .shallow, flag: CancellationFlag()) { [ring] _ in
            try converting.readAll { chunk in
                // A device's audio would only be lost elsewhere, and in smaller pieces.
                if ring.roomIsWanted { queue.waitUntilFits(chunk) }
                queue.add(chunk)
            }
        } completion: { result in
            if case .failure(let error) = result { queue.finish(throwing: error) } else { queue.finish() }
        }
        return stream
    }
}

extension AudioInput: AudioSource {}

/// Reads a ring to its end and converts the audio.
private struct RingReader: Sendable {
    let ring: SampleRing
    let room: Monitor<Void>
    let sampleRate: Int
    let channels: Int

    func readAll(_ give: (AudioChunk) -> Void) throws {
        let converter = AudioStreamConverter()
        let tenth = max(1, sampleRate / 10) * channels
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: tenth)
        defer {
            buffer.deallocate()
            // No more room will appear, even if the audio could not be converted.
            ring.end()
            room.update { _ in }
        }
        // Start times turn lost audio into a gap.
        var position = 0, lost = 0
        func push(_ samples: [Float], at position: Int) throws {
            let pcm = try PCMBuffer(
                .float32(samples), sampleRate: sampleRate, channels: channels,
                startTime: AudioTime(samples: position, rate: sampleRate))
            try converter.push(pcm).forEach(give)
        }
        while true {
            let item = ring.pull(into: buffer)
            room.update { _ in }
            switch item {
            case .frames(let count):
                try push(Array(buffer[..<(count * channels)]), at: position)
                position += count
                lost = 0
            case .lost(let count):
                position += count
                lost += count
            case .end:
                // A gap is reported with the frame after it: here, one of silence.
                if lost > 0 { try push([Float](repeating: 0, count: channels), at: position - 1) }
                return converter.finish().forEach(give)
            }
        }
    }
}
