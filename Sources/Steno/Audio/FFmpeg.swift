import Foundation

/// Where the decoder for everything but WAV is, if it is.
package struct FFmpeg: Sendable {
    /// The path of the program.
    let path: String

    /// The one a shell would find, and the usual places of macOS, which programs started from the Finder do not see.
    package static var installed: FFmpeg? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        #if os(macOS)
            return find(in: path + ":/opt/homebrew/bin:/usr/local/bin")
        #else
            return find(in: path)
        #endif
    }

    /// Looks through folders, separated by colons as in `PATH`.
    static func find(in folders: String) -> FFmpeg? {
        folders.split(separator: ":")
            .map { "\($0)/ffmpeg" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map(FFmpeg.init)
    }

    /// The end of a sentence for people who do not have it.
    static let missing = """
        ffmpeg, which decodes everything but WAV, is not installed. Install it (Debian, Ubuntu: sudo apt install ffmpeg; \
        macOS: brew install ffmpeg), or convert the sound to WAV, which needs no other program.
        """

    /// What makes ffmpeg write the first audio stream of an input as 16-bit samples, 16 kHz, mono.
    static func arguments(input: String) -> [String] {
        [
            "-hide_banner", "-nostdin", "-loglevel", "error", "-i", input, "-map", "0:a:0", "-f", "s16le",
            "-acodec", "pcm_s16le", "-ac", "1", "-ar", "\(AudioFile.sampleRate)", "pipe:1",
        ]
    }
}
