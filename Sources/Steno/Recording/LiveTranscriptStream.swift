import StenoCore

/// Writes live text as it becomes final, for a pipe: plain text, or subtitles with the same rules as in files.
///
///     var stream = LiveTranscriptStream(.vtt)
///     for await event in engine.events { print(stream.text(after: event), terminator: "") }
///     print(stream.end(), terminator: "")
///
/// Written text never changes. A subtitle is written when no further text can change it: usually with the first words
/// after it, and at the end of an utterance when it has been shown long enough to be read.
package struct LiveTranscriptStream: Sendable {
    package enum Format: Sendable, Hashable, CaseIterable {
        /// Final text, one line per utterance.
        case text
        case vtt
        case srt
    }

    private let format: Format
    private let subtitles: SubtitleOptions
    private var track: LiveCueTrack
    private var live = LiveTranscript()
    private var hasBegun = false
    private var number = 1
    private var utterance: Int?
    private var speaker: String?

    package init(_ format: Format, subtitles: SubtitleOptions = .readable) {
        self.format = format
        self.subtitles = subtitles
        track = LiveCueTrack(subtitles)
    }

    /// The text to write after an event; mostly empty.
    package mutating func text(after event: TranscriptionEvent) -> String {
        let change = live.update(with: event).finals
        return heading() + (format == .text ? plain(event, change) : write(track.apply(event, change).decided))
    }

    /// The remaining text, when no event follows.
    package mutating func end() -> String {
        defer { utterance = nil }
        if format == .text { return utterance == nil ? "" : "\n" }
        return heading() + write(track.finish(audioEnd: live.position))
    }

    private mutating func heading() -> String {
        defer { hasBegun = true }
        return format == .vtt && !hasBegun ? WebVTTWriter.heading : ""
    }

    private mutating func write(_ cues: [Cue]) -> String {
        guard format == .srt else { return WebVTTWriter(options: subtitles).write(cues) }
        let writer = SubRipWriter(options: subtitles)
        defer { number += writer.count(cues) }
        return writer.write(cues, first: number)
    }

    private mutating func plain(_ event: TranscriptionEvent, _ change: LiveTranscript.FinalChange) -> String {
        var text = ""
        let segments: [LiveSegment]
        switch change {
        case .none: segments = []
        case .append(let mark, let new):
            text += mark
            segments = new
        // Cleared text has already been written.
        case .replace(let new): segments = new
        }
        for segment in segments.flatMap(\.bySpeaker) {
            if segment.utterance == utterance, segment.speaker == speaker {
                text += segment.text
            } else {
                let prefix = SpeakerPrefix.of(segment.speaker)
                text += (utterance == nil ? "" : "\n") + prefix + segment.text.trimmingPrefix(" ")
            }
            utterance = segment.utterance
            speaker = segment.speaker
        }
        if event.kind == .utteranceEnd, event.utterance == utterance, utterance != nil {
            text += "\n"
            utterance = nil
        }
        return text
    }
}
