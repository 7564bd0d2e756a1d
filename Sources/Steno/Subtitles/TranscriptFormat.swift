/// A file format a transcript can be written in, with the layout of openai-whisper's own writers.
public enum TranscriptFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// Plain text, one segment a line.
    case txt
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles, which browsers show.
    case vtt
    /// Everything that is known, with openai-whisper's field names.
    case json
    /// Tab-separated start, end (whole milliseconds) and text, with a line of headings.
    case tsv

    /// What a file of this format is called after its last dot.
    public var fileExtension: String { rawValue }

    /// Writes a transcript; one without segments gives a valid file too.
    public func write(_ transcript: Transcript) -> String {
        switch self {
        case .txt: PlainTextWriter.write(transcript)
        case .srt: SubRipWriter.write(transcript)
        case .vtt: WebVTTWriter.write(transcript)
        case .json: JSONWriter.write(transcript)
        case .tsv: TabSeparatedWriter.write(transcript)
        }
    }
}
