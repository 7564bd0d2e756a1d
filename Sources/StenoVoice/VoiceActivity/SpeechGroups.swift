import StenoCore

/// Chunks of speech that are decoded together.
public struct SpeechGroup: Sendable, Hashable {
    /// The chunks, in samples of the original.
    public var chunks: [Range<Int>]
    /// Where the group begins in the joined speech, in samples.
    public var offset: Int

    /// The group's length in samples.
    public var sampleCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// Joins neighbouring chunks as long as they are not longer than `maxSeconds` together.
    ///
    /// As faster-whisper's `collect_chunks`, but a group lists all its chunks (there, the first chunk of every group
    /// after the first is missing from the list, though not from the audio), and there is no group without audio.
    /// A chunk that is longer than the limit by itself is a group of its own.
    public static func collect(_ chunks: [Range<Int>], maxSeconds: Double = .infinity) -> [SpeechGroup] {
        let limit = maxSeconds * Double(VoiceActivity.sampleRate)
        var groups: [SpeechGroup] = []
        var length = 0
        for chunk in chunks {
            if let last = groups.indices.last, Double(length + chunk.count) <= limit {
                groups[last].chunks.append(chunk)
                length += chunk.count
            } else {
                let offset = groups.last.map { $0.offset + length } ?? 0
                groups.append(SpeechGroup(chunks: [chunk], offset: offset))
                length = chunk.count
            }
        }
        return groups
    }
}
