import StenoCompute
import StenoCore
import StenoSpeakers

/// Passes audio on to its reader, and to a diarizer.
///
/// A model may read a recording twice, first for its loudest moment: the diarizer gets it in the last pass, so that
/// progress is reported meanwhile. Up to a minute of the first pass is buffered until it is known whether there is a
/// second one; longer audio is read again for the diarizer.
final class SpeakerTap: SampleSource {
    /// One second more than the features that a model keeps (``LogMelStream``).
    private static let mostHeld = (LogMelStream.keptFrames / LogMel.framesPerSecond + 1) * LogMel.sampleRate
    private static let readLength = 16_384

    private let source: any SampleSource
    private let diarizer: any RecordingDiarizer
    /// The number of samples read in this pass, and the number that the diarizer has.
    private var position = 0
    private var heard = 0
    /// The samples of the first pass; nil when there were too many, or when another pass began.
    private var held: [Float]? = []
    private var isLastPass = false

    init(_ source: any SampleSource, diarizer: any RecordingDiarizer) {
        self.source = source
        self.diarizer = diarizer
    }

    var warnings: [TranscriptionWarning] { source.warnings }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        let count = max(0, try source.read(into: buffer))
        hear(UnsafeBufferPointer(rebasing: buffer[..<count]))
        return count
    }

    func rewind() throws -> Bool {
        guard try source.rewind() else {
            // There will be no other pass.
            isLastPass = true
            return false
        }
        if position > 0 {
            isLastPass = true
            held = nil
        }
        position = 0
        return true
    }

    /// Passes the diarizer the audio it has not received.
    func finish() throws {
        if let held, heard == 0 {
            held.withUnsafeBufferPointer { diarizer.append($0) }
            heard = held.count
        } else if heard == 0, try source.rewind() {
            (position, isLastPass, held) = (0, true, nil)
            var samples = [Float](repeating: 0, count: Self.readLength)
            var count = 0
            repeat { count = try samples.withUnsafeMutableBufferPointer { try read(into: $0) } } while count > 0
        }
    }

    private func hear(_ samples: UnsafeBufferPointer<Float>) {
        let new = UnsafeBufferPointer(rebasing: samples.dropFirst(max(0, heard - position)))
        position += samples.count
        if isLastPass {
            diarizer.append(new)
            heard = max(heard, position)
        } else if held != nil, position <= Self.mostHeld {
            held?.append(contentsOf: samples)
        } else {
            held = nil
        }
    }
}
