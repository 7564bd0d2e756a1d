package import Foundation
import StenoCore

/// Records the audio of a live session to a WAV file (16 kHz, mono, 16 bits).
///
///     let recorder = try LiveRecorder(URL(fileURLWithPath: "meeting.wav"))
///     for try await chunk in stream {
///         recorder.append(chunk)
///         try await engine.append(chunk)
///     }
///     let recording = await recorder.close()
///
/// Recording never delays or ends the session: audio is written on its own queue, and an error is reported once
/// (``onFailure(_:)``), while up to ``longestBacklog`` of audio waits until the disk has room again. The header is
/// rewritten every second, so a process that is killed leaves a file that any program can read.
///
/// Gaps of up to ``longestSilence`` are written as silence, so that the times in the text match the recording. Longer
/// ones are left out, since a computer that slept for a day would fill 2.8 GB; ``Recording/gaps`` lists them.
package final class LiveRecorder: @unchecked Sendable {
    // Sendable: waiting audio is accessed under the lock, the file's writer in the background.

    package struct Recording: Sendable, Hashable {
        /// A gap in the audio that was left out.
        package struct Gap: Sendable, Hashable {
            /// The position of the gap in the recording, in seconds.
            package var position: Double
            /// The missing seconds; the transcript's times after the gap are later by this.
            package var duration: Double
        }

        /// The length of the recording in seconds.
        package var duration = 0.0
        /// The gaps that were left out, in order.
        package var gaps: [Gap] = []
        /// The seconds of audio that could not be written; silence or a gap takes their place.
        package var lost = 0.0
    }

    /// The longest gap that is filled with silence, in seconds.
    package static let longestSilence = 30.0
    /// The most audio that waits for the disk, in seconds; any more is lost, and reported.
    package static let longestBacklog = 120.0

    private static let mostSilence = longestSilence.samples
    private static let mostWaiting = longestBacklog.samples
    /// The maximum age of the file's header, in seconds.
    package static let updateInterval = 1.0

    private enum Piece {
        case samples([Float])
        case silence(Int)

        var count: Int {
            switch self {
            case .samples(let samples): samples.count
            case .silence(let count): count
            }
        }
    }

    package let file: URL

    private let overwriting: Bool
    private let background = BackgroundWriter("steno.live.recorder")
    private let makeWriter: @Sendable (URL, Bool) throws -> any RecordingWriter

    private let lock = NSLock()
    private var waiting: [Piece] = []
    private var waitingSamples = 0
    /// The position in the source after the last sample taken; nil before the first.
    private var position: Int?
    /// The number of samples taken, including silence.
    private var taken = 0
    private var gaps: [Recording.Gap] = []
    private var lost = 0
    private var isClosed = false

    // In the background only.
    private var writer: (any RecordingWriter)?
    private var written = 0
    private var isFailing = false
    private var isRemoved = false
    private var recording: Recording?

    /// Checks that the file can be written; it is created with the first audio.
    ///
    /// - Parameter overwriting: Whether an existing file is replaced; if not, it is an error.
    /// - Throws: `StenoError.outputFailed` when the file exists or cannot be written.
    package convenience init(_ file: URL, overwriting: Bool = false) throws {
        var outputs = OutputFiles(overwriting: overwriting)
        try outputs.check(file)
        self.init(file, overwriting: overwriting) {
            try WAVWriter($0, updatingEvery: Self.updateInterval, overwriting: $1)
        }
    }

    /// Creates a recorder with another writer than ``WAVWriter``.
    package init(
        _ file: URL, overwriting: Bool, makeWriter: @escaping @Sendable (URL, Bool) throws -> any RecordingWriter
    ) {
        self.file = file
        self.overwriting = overwriting
        self.makeWriter = makeWriter
    }

    package var waitingSeconds: Double { lock.withLock { waitingSamples.seconds } }

    /// Sets the handler that is called, on any thread, when the file fails; earlier failures are passed to it too.
    package func onFailure(_ handler: @escaping @Sendable (TranscriptionFailure) -> Void) {
        background.onFailure(handler)
    }

    /// Takes the next audio of the source; returns at once.
    ///
    /// After ``close()`` audio is ignored.
    package func append(_ chunk: AudioChunk) {
        let (isWaiting, mustReport) = lock.withLock { () -> (Bool, Bool) in
            guard !isClosed else { return (false, false) }
            let hadLost = lost > 0
            take(chunk)
            return (!waiting.isEmpty, lost > 0 && !hadLost)
        }
        if mustReport { background.report(overflow) }
        if isWaiting { background.wake { self.drain() } }
    }

    /// Waits until the audio so far is in the file, or the file has failed.
    package func flush() async { await background.flush { self.drain() } }

    /// Writes the waiting audio, completes the header and closes the file.
    ///
    /// A second call changes nothing.
    @discardableResult
    package func close() async -> Recording {
        lock.withLock { isClosed = true }
        return await background.close { self.finish() }
    }

    // MARK: Taking audio, under the lock

    private func take(_ chunk: AudioChunk) {
        guard !chunk.samples.isEmpty else { return }
        // A source counts from 0, so audio that is missing at the start is a gap too.
        let end = position ?? 0
        // Repeated audio would shift all later times.
        let samples = chunk.samples.dropFirst(max(0, end - chunk.position))
        guard !samples.isEmpty else { return }
        guard waitingSamples + samples.count <= Self.mostWaiting else {
            lost += samples.count
            return
        }
        skip(chunk.position - end)
        waiting.append(.samples(Array(samples)))
        waitingSamples += samples.count
        taken += samples.count
        position = chunk.end
    }

    private func skip(_ count: Int) {
        guard count > 0 else { return }
        if count <= Self.mostSilence {
            waiting.append(.silence(count))
            taken += count
        } else {
            gaps.append(Recording.Gap(position: taken.seconds, duration: count.seconds))
        }
    }

    private var overflow: StenoError {
        StenoError(
            .outputFailed,
            "“\(file.relativePath)” cannot be written as fast as audio arrives, so some audio is missing. Use a "
                + "faster disk.")
    }

    // MARK: Writing, in the background

    /// Writes the waiting audio; after a failure the next audio tries again.
    @discardableResult
    private func drain() -> Double {
        while let piece = lock.withLock({ waiting.first }) {
            do {
                try write(piece)
            } catch {
                fail(error)
                return 0
            }
            lock.withLock {
                waiting.removeFirst()
                if case .samples(let samples) = piece { waitingSamples -= samples.count }
            }
        }
        return 0
    }

    private func write(_ piece: Piece) throws {
        let writer = try writer ?? makeWriter(file, overwriting)
        self.writer = writer
        switch piece {
        case .samples(let samples): try writer.write(samples)
        case .silence(let count): try writer.write([Float](repeating: 0, count: count))
        }
        written += piece.count
        checkRemoval()
        if !isRemoved, lock.withLock({ waiting.count == 1 }) { isFailing = false }
    }

    /// A removed file would accept all audio and keep none.
    private func checkRemoval() {
        guard let writer, writer.isRemoved else {
            isRemoved = false
            return
        }
        isRemoved = true
        do {
            try writer.restore()
            isRemoved = false
        } catch {
            fail(
                StenoError(
                    .outputFailed, "“\(file.relativePath)” was removed and cannot be created again: \(error)",
                    underlying: error))
        }
    }

    private func fail(_ error: any Error) {
        if !isFailing { background.report(error) }
        isFailing = true
    }

    private func finish() -> Recording {
        if let recording { return recording }
        drain()
        do {
            checkRemoval()
            try writer?.close()
        } catch {
            fail(error)
        }
        let recording = lock.withLock {
            Recording(duration: written.seconds, gaps: gaps, lost: (lost + waitingSamples).seconds)
        }
        self.recording = recording
        writer = nil
        return recording
    }
}

/// The destination of a recording: a WAV file, an encrypted one, or in tests a disk that fails.
package protocol RecordingWriter {
    /// Appends samples; after a failure the same ones can be written again.
    func write(_ samples: [Float]) throws
    func close() throws
    var isRemoved: Bool { get }
    func restore() throws
}

extension WAVWriter: RecordingWriter {
    package func write(_ samples: [Float]) throws { try write(samples[...]) }
}
