import StenoCore

/// Recognises files that only refer to other files: playlists, manifests, session descriptions.
///
/// They are refused, because an uploaded one could choose which files of this machine are opened and transcribed.
/// ``FFmpeg`` refuses them again, by the format it detects.
enum Playlist {
    /// Their first characters in lower case; `AudioOpener` sees the first twelve bytes.
    private static let beginnings = [
        ("#extm3u", "an M3U or HLS playlist"), ("ffconcat", "a list of files for ffmpeg"),
        ("[playlist]", "a PLS playlist"), ("<asx", "an ASX playlist"), ("<smil", "a SMIL playlist"),
        ("<?xml", "an XML file, such as a DASH manifest"), ("<mpd", "a DASH manifest"),
        ("v=0\n", "a session description (SDP)"), ("v=0\r", "a session description (SDP)"),
    ]

    /// The type of a file that begins with these bytes, worded to follow "is"; nil if it is not a playlist.
    static func kind(of head: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = String(decoding: head.starts(with: mark) ? head.dropFirst(mark.count) : head[...], as: UTF8.self)
        return beginnings.first { text.lowercased().hasPrefix($0.0) }?.1
    }

    /// ffmpeg's names for formats that open other files or the network.
    private static let formats: Set = [
        "hls", "applehttp", "dash", "concat", "sdp", "rtsp", "rtp", "sap", "imf", "webm_dash_manifest", "image2",
    ]

    /// The error for a format that ffmpeg detected but may not read.
    static func refusal(_ name: String, format: String) -> StenoError {
        formats.contains(format)
            ? refusal(name, "a list of other files (\(format))")
            : StenoError(
                .notAudio,
                "\(name) has the format “\(format)”, which is not an audio or video format. Convert it to WAV.")
    }

    static func refusal(_ name: String, _ kind: String) -> StenoError {
        StenoError(
            .notAudio,
            "\(name) is \(kind), not a recording. Name the recording itself: Steno does not open files that another "
                + "file refers to.")
    }
}
