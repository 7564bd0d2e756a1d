package import Foundation
import StenoCore

/// A file format for transcripts; txt, srt, vtt and tsv are laid out as openai-whisper's.
public enum TranscriptFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// Plain text, one segment per line.
    case txt
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles, which browsers show.
    case vtt
    /// Song lyrics (LRC): a time before each line or word.
    case lrc
    /// JSON with all information, with openai-whisper's field names.
    case json
    /// Tab-separated start, end (in whole milliseconds) and text, with a header line.
    case tsv
    /// Speaker turns without text, one per line (NIST's Rich Transcription Time Marked).
    case rttm

    /// The formats that contain the text; these are meant by “all” formats.
    package static let texts = allCases.filter { $0 != .rttm }

    package var fileExtension: String { rawValue }

    /// - Throws: `StenoError.invalidOption` if its extension is not a format.
    package init(file: URL) throws {
        guard let format = Self(rawValue: file.pathExtension.lowercased()) else {
            let all = Self.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw StenoError(
                .invalidOption, "\(file.relativePath): the name of a transcript must end in one of \(all).")
        }
        self = format
    }

    /// Whether ``SubtitleOptions`` affect this format.
    package var hasCues: Bool { [.srt, .vtt, .lrc].contains(self) }

    /// The content of a file in this format; it is valid even for a transcript without segments.
    ///
    /// - Parameters:
    ///   - transcript: The transcript.
    ///   - subtitles: How to split it into cues, in formats that have cues.
    public func text(of transcript: Transcript, subtitles: SubtitleOptions = SubtitleOptions()) -> String {
        switch self {
        case .txt: PlainTextWriter.write(transcript)
        case .srt: SubRipWriter(options: subtitles).write(transcript)
        case .vtt: WebVTTWriter(options: subtitles).write(transcript)
        case .lrc: LyricsWriter(options: subtitles).write(transcript)
        case .json: JSONText.transcript(transcript)
        case .tsv: TabSeparatedWriter.write(transcript)
        case .rttm: RTTMWriter.write(transcript)
        }
    }
}
