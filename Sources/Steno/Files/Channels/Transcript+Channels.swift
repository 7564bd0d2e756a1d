import StenoCore

extension Transcript {
    /// Joins the transcripts of separately transcribed channels: one timeline, labelled by channel.
    ///
    /// Crosstalk appears once. The language is that of the channel with the most text.
    ///
    /// - Parameter keepsWords: Whether the segments keep their words.
    init(channels: [ChannelTranscript], keepsWords: Bool) {
        let kept = BleedFilter.segments(channels)
        let sizes = kept.map { $0.reduce(0) { $0 + $1.text.count } }
        let main = sizes.indices.max { sizes[$0] < sizes[$1] } ?? 0
        let transcripts = channels.map(\.transcript)
        var segments = kept.enumerated().flatMap { channel, segments in
            segments.map { segment in
                var segment = segment
                segment.speaker = Self.channelName(channel)
                if transcripts[channel].language != transcripts[main].language {
                    segment.language = segment.language ?? transcripts[channel].language
                }
                segment.words = keepsWords ? segment.words?.map { $0.spoken(by: Self.channelName(channel)) } : nil
                return segment
            }
        }
        segments.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        for index in segments.indices { segments[index].id = index }
        let warnings = Self.warnings(transcripts)
        self.init(
            language: transcripts[main].language, languageProbability: transcripts[main].languageProbability,
            duration: transcripts.map(\.duration).max() ?? 0,
            durationAfterVoiceActivity: transcripts.compactMap(\.durationAfterVoiceActivity).max(),
            segments: segments, guards: Self.all(transcripts.map(\.guards)),
            warnings: warnings.isEmpty ? nil : warnings)
    }

    /// The label of a channel, counted from 0.
    package static func channelName(_ channel: Int) -> String { "Channel \(channel + 1)" }

    /// One silent side of a call is normal; only silence on all sides is reported.
    private static func warnings(_ transcripts: [Transcript]) -> [TranscriptionWarning] {
        let quiet: Set<StenoError.Code> = [.noSpeech, .audioEmpty]
        let isSilent = transcripts.allSatisfy { transcript in
            transcript.warnings?.contains { quiet.contains($0.code) } ?? false
        }
        var found: [TranscriptionWarning] = []
        for warning in transcripts.flatMap({ $0.warnings ?? [] }) where isSilent || !quiet.contains(warning.code) {
            if !found.contains(warning) { found.append(warning) }
        }
        return found
    }

    private static func all<Element>(_ lists: [[Element]?]) -> [Element]? {
        let known = lists.compactMap(\.self)
        return known.isEmpty ? nil : known.flatMap(\.self)
    }
}
