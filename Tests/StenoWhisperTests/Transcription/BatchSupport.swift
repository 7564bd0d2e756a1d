import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Recordings decoded as a batch, and the results of their spans on their own.
struct BatchRun {
    let model: WhisperModel
    var options: TranscriptionOptions

    struct Outcome {
        var transcripts: [Int: Result<Transcript, any Error>] = [:]
        var events: [Int: [TranscriptionProgressEvent]] = [:]
        /// The order in which the recordings ended.
        var ended: [Int] = []
    }

    func together(
        _ recordings: [[Float]], batchSize: Int, isCancelled: @escaping () -> Bool = { false }
    ) throws -> Outcome {
        try together(
            recordings.map { audio in { ArraySampleSource(audio) } }, batchSize: batchSize, isCancelled: isCancelled)
    }

    func together(
        _ recordings: [WhisperModel.AudioOpener], batchSize: Int, isCancelled: @escaping () -> Bool = { false }
    ) throws -> Outcome {
        var options = options
        options.batchSize = batchSize
        var outcome = Outcome()
        try model.transcribe(ArrayFeed(recordings, options), lanes: 1, options, isCancelled: isCancelled) {
            number, event in
            switch event {
            case .progress(let event): outcome.events[number, default: []].append(event)
            case .result(let result):
                outcome.transcripts[number] = result.transcript
                outcome.ended.append(number)
            }
        }
        return outcome
    }

    /// The segments of each span decoded on its own, concatenated as in one transcript.
    func alone(_ audio: [Float]) throws -> [Segment] {
        var segments: [Segment] = []
        for clip in options.clips {
            var options = options
            options.clips = [clip]
            for var segment in try model.transcribe(ArraySampleSource(audio), options: options).segments {
                segment.id = segments.count
                segments.append(segment)
            }
        }
        return segments
    }
}

struct BrokenAudio: Error {}

/// Throws after this many samples, in the given pass; with 0 it is a pipe, which cannot be read again.
final class BreakingSource: SampleSource {
    private let limit: Int
    private let pass: Int
    private var given = 0, passes = 0

    init(after limit: Int, pass: Int = 0) { (self.limit, self.pass) = (limit, pass) }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        if passes == pass, given >= limit { throw BrokenAudio() }
        let count = min(buffer.count, 2_000_000 - given, passes == pass ? limit - given : .max)
        buffer[..<count].update(repeating: 0.1)
        given += count
        return count
    }

    func rewind() -> Bool {
        guard pass > 0 else { return false }
        passes += 1
        given = 0
        return true
    }
}

extension TestAudio {
    /// The samples of a 16-bit WAV file in the fixtures.
    static func wav(_ path: String) throws -> [Float] { try samplesOfPlainWAV(Fixtures.file(path)) }
}
