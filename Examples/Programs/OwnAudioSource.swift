// Transcribes audio of any origin: a source is read from front to back, so memory does not grow with its length.
import Steno
import StenoBundledModel

/// One second of silence before another source.
final class AfterSilence: SampleSource {
    private let source: any SampleSource
    private var silence = 16_000

    init(_ source: any SampleSource) { self.source = source }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        guard silence > 0 else { return try source.read(into: buffer) }
        let count = min(silence, buffer.count)
        buffer.prefix(count).update(repeating: 0)
        silence -= count
        return count
    }

    /// False: this audio can be read only once, like a pipe.
    func rewind() -> Bool { false }

    /// Problems that the user should know about, such as a file that is cut off.
    var warnings: [TranscriptionWarning] { source.warnings }
}

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.bundled)
// The source is opened on the thread that reads it and never leaves it, so it need not be Sendable.
let transcript = try await transcriber.transcribe { AfterSilence(try AudioFile.open(audio)) }
for segment in transcript.segments { print(Timestamp.format(segment.start), segment.text) }
