public import Foundation
import StenoCore
public import StenoVoiceActivity

extension AudioFile {
    /// Finds the speech in a file without transcribing it.
    ///
    /// - Parameters:
    ///   - file: A local file, as for ``open(_:track:)``.
    ///   - options: What counts as speech, and where to split it.
    /// - Returns: The spans of speech in seconds, in order.
    /// - Throws: `StenoError`, as ``open(_:track:)`` does; `CancellationError`.
    public static func speech(
        in file: URL, options: VoiceActivityOptions = VoiceActivityOptions()
    ) async throws -> [Range<Double>] {
        try options.validate()
        return try await Worker.run("steno.speech") { flag in
            let source = try flag.open { try AudioFile.open(file) }
            var stream = VoiceActivityStream(try options.detector.makeFilter())
            var probabilities: [Float] = []
            var buffer = [Float](repeating: 0, count: sampleRate)
            while case let count = try buffer.withUnsafeMutableBufferPointer({ try source.read(into: $0) }), count > 0 {
                guard !flag.isCancelled else { throw CancellationError() }
                probabilities += stream.push(Array(buffer.prefix(count)))
            }
            probabilities += stream.finish()
            return SpeechTimestamps.chunks(of: probabilities, sampleCount: stream.sampleCount, options: options)
                .map { $0.lowerBound.seconds..<$0.upperBound.seconds }
        }
    }
}
