import Foundation
import StenoCore

/// The audio on standard input, delivered as it arrives.
///
///     arecord -q -f S16_LE -r 16000 -t wav - | steno live --input -
///
/// WAV and, with a format, raw PCM are read without waiting for more than one frame; other formats are decoded by
/// `ffmpeg`, which reads larger blocks. When ten minutes are buffered, the writer of the pipe has to wait.
package struct StandardInputSource: AudioSource {
    package let name = "Standard input"
    package let format: PCMFormat?
    private let descriptor: Int32

    /// - Parameter format: The sample format of headerless (raw) PCM; nil detects the format from the content.
    package init(format: PCMFormat? = nil) { self.init(descriptor: STDIN_FILENO, format: format) }

    init(descriptor: Int32, format: PCMFormat?) { (self.descriptor, self.format) = (descriptor, format) }

    static let waitingLimit = AudioStream.bufferLimit.samples

    /// - Throws: `StenoError.audioNotFound` when there is no standard input; errors of the audio come from the stream.
    package func start() async throws -> AudioStream {
        let input = try OwnedDescriptor.duplicating(descriptor, name: name)
        let interruption = try Interruption()
        let flag = CancellationFlag()
        flag.whenCancelled { interruption.interrupt() }
        // Reading pauses instead, so nothing has to be dropped.
        let (stream, queue) = AudioStream.makeStream(format: format, bufferLimit: nil) { flag.cancel() }
        SampleReader(queue, waitingLimit: Self.waitingLimit).start(flag: flag) { [name, format] in
            let opener = AudioOpener(ffmpeg: .installed, format: format)
            let audio = try opener.open(input, name: name, path: nil, interruption: interruption)
            try $0.readAll(of: audio) { flag.isCancelled }
        }
        return stream
    }
}

/// Reads a blocking source into a stream, on a dedicated thread.
struct SampleReader: Sendable {
    let output: ChunkWriter
    private let queue: ChunkQueue
    private let chunkLength: Int
    private let fillsChunks: Bool
    private let waitingLimit: Int

    /// - Parameters:
    ///   - chunkLength: The maximum length of a chunk; 100 ms by default.
    ///   - fillsChunks: Whether chunks are delivered only when full; live audio is delivered as it arrives.
    ///   - waitingLimit: The number of undelivered samples at which reading pauses.
    init(
        _ queue: ChunkQueue, chunkLength: Int = AudioFile.sampleRate / 10, fillsChunks: Bool = false,
        waitingLimit: Int = .max
    ) {
        output = ChunkWriter(queue)
        (self.queue, self.chunkLength) = (queue, chunkLength)
        (self.fillsChunks, self.waitingLimit) = (fillsChunks, waitingLimit)
    }

    /// Starts the thread; the stream ends with the audio, with an error, or when the flag is raised.
    func start(flag: CancellationFlag, _ body: @escaping @Sendable (SampleReader) throws -> Void) {
        Worker.start("steno.capture", stack: .shallow, flag: flag) { _ in
            try body(self)
        } completion: { result in
            // Errors after the capture was stopped are a consequence of stopping it.
            if case .failure(let error) = result, !flag.isCancelled {
                queue.finish(throwing: error)
            } else {
                queue.finish()
            }
        }
    }

    func readAll(of source: some SampleSource, until isStopped: () -> Bool = { false }) throws {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: chunkLength)
        defer { buffer.deallocate() }
        while !isStopped(), case let count = try read(source, into: buffer), count > 0 {
            output.write(Array(buffer[..<count]))
            queue.waitUntilBelow(waitingLimit)
        }
    }

    private func read(_ source: some SampleSource, into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        var filled = 0
        repeat {
            let count = try source.read(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        } while fillsChunks && filled < buffer.count
        return filled
    }
}
