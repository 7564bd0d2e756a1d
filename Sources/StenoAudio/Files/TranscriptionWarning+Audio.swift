import StenoCore

extension TranscriptionWarning {
    /// The end of the audio is missing.
    ///
    /// - Parameters:
    ///   - seconds: The duration of the audio that is there.
    ///   - expected: The duration according to the header, if it is known.
    static func truncated(_ name: String, seconds: Double, expected: Double?) -> TranscriptionWarning {
        let rest = expected.map { " of the \(Hundredths.rounded($0)) s in its header" } ?? ""
        return TranscriptionWarning(
            .audioTruncated,
            "\(name) is cut off after \(Hundredths.rounded(seconds)) s\(rest). The end of the file is missing.")
    }
}
