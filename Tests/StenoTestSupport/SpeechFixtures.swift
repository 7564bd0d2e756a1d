import Steno

/// The sentences of the recording `gaps`.
package func sentences() async throws -> [[Float]] {
    var sentences: [[Float]] = []
    for index in 0..<6 { sentences.append(try await decoded(Fixtures.file("speech/en-00\(index).flac"))) }
    return sentences
}

/// Whether flac and mp3 can be decoded; in CI they must be.
#if os(Linux) || os(macOS)
    package let hasFFmpeg = FFmpeg.installed != nil || mustRun
#else
    package let hasFFmpeg = false
#endif
