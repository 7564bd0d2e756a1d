/// Writes WebVTT: a heading, then cues with hours only where there are any.
enum WebVTTWriter {
    static func write(_ transcript: Transcript) -> String {
        let cues = transcript.segments.map { segment in
            "\(Timestamp.format(segment.start)) --> \(Timestamp.format(segment.end))\n\(segment.cueText)\n\n"
        }
        return "WEBVTT\n\n" + cues.joined()
    }
}
