package import Foundation
import StenoCore

/// A file format a transcript can be written in; where openai-whisper writes it too, its files are the same.
public enum TranscriptFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// Plain text, one segment a line.
    case txt
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles, which browsers show.
    case vtt
    /// Song lyrics: a time before each line, or each word.
    case lrc
    /// Everything that is known, with openai-whisper's field names.
    case json
    /// Tab-separated start, end (whole milliseconds) and text, with a line of headings.
    case tsv
    /// Who speaks when, without the text: a line for each turn (NIST's Rich Transcription Time Marked).
    case rttm

    /// The formats that have the text, which are what “all” formats means.
    package static let texts = allCases.filter { $0 != .rttm }

    /// What a file of this format is called after its last dot.
    package var fileExtension: String { rawValue }

    /// The format that the name of a file asks for.
    ///
    /// - Throws: `StenoError.invalidOption` when its extension is no format.
    package init(file: URL) throws {
        guard let format = Self(rawValue: file.pathExtension.lowercased()) else {
            let all = Self.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw StenoError(
                .invalidOption, "\(file.relativePath): the name of a transcript must end in one of \(all).")
        }
        self = format
    }

    /// Whether ``SubtitleOptions`` change what is written.
    package var hasCues: Bool { [.srt, .vtt, .lrc].contains(self) }

    /// The content of a file of this format; a transcript without segments gives a valid one too.
    ///
    /// - Parameters:
    ///   - transcript: What was said.
    ///   - subtitles: How it is cut into cues, in the formats that have them.
    public func text(of transcript: Transcript, subtitles: SubtitleOptions = SubtitleOptions()) -> String {
        switch self {
        case .txt: PlainTextWriter.write(transcript)
        case .srt: SubRipWriter(options: subtitles).write(transcript)
        case .vtt: WebVTTWriter(options: subtitles).write(transcript)
        case .lrc: LyricsWriter(options: subtitles).write(transcript)
        case .json: JSONWriter.write(transcript)
        case .tsv: TabSeparatedWriter.write(transcript)
        case .rttm: RTTMWriter.write(transcript)
        }
    }
}
