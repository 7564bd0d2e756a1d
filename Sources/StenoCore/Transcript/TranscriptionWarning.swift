/// A warning about a transcribed recording: it is incomplete, it has no speech, or the work was interrupted.
public struct TranscriptionWarning: Sendable, Hashable, Codable {
    /// The kind of warning: `audioTruncated`, `audioDamaged`, `audioEmpty`, `noSpeech` or, for a partial transcript,
    /// `cancelled`; later versions may add kinds.
    public var code: StenoError.Code
    /// One or two sentences for the user.
    public var message: String

    /// Creates a warning, for your own ``SampleSource``.
    public init(_ code: StenoError.Code, _ message: String) { (self.code, self.message) = (code, message) }
}

extension TranscriptionWarning {
    /// Why a transcript unexpectedly has no text; one reason is enough.
    ///
    /// - Parameters:
    ///   - duration: The length of the audio, in seconds.
    ///   - clips: The only parts that were transcribed, if there are any.
    ///   - shortest: Audio of fewer seconds is shorter than any word.
    package static func missingText(
        duration: Double, clips: [Range<Double>], hasText: Bool, shortest: Double
    ) -> [TranscriptionWarning] {
        func empty(_ message: String) -> [TranscriptionWarning] { [TranscriptionWarning(.audioEmpty, message)] }
        let length = "\(Hundredths.rounded(duration)) s"
        if duration == 0 { return empty("There are no samples in this audio.") }
        if let clip = clips.first(where: { $0.lowerBound >= duration }) {
            return empty("A clip begins at \(Hundredths.rounded(clip.lowerBound)) s, but the audio ends at \(length).")
        }
        guard !hasText else { return [] }
        if duration < shortest { return empty("The audio is only \(length) long, which is shorter than any word.") }
        guard !clips.isEmpty else {
            return [TranscriptionWarning(.noSpeech, "No speech was found in \(length) of audio.")]
        }
        let selected = clips.map { max(0, min($0.upperBound, duration) - $0.lowerBound) }.reduce(0, +)
        let message = "No speech was found in the \(Hundredths.rounded(selected)) s selected of \(length) of audio."
        return [TranscriptionWarning(.noSpeech, message)]
    }
}
