import StenoCore

/// Chunks of speech that are decoded together.
package struct SpeechGroup: Sendable, Hashable {
    /// The chunks, in samples of the original audio.
    package var chunks: [Range<Int>]
    /// The start of the group in the joined speech, in samples.
    package var offset: Int

    package var sampleCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// Groups neighbouring chunks up to a total of `maxSeconds`.
    ///
    /// Like faster-whisper's `collect_chunks`, except that a group lists all its chunks (the original omits the first
    /// chunk of every group after the first from the list, though not from the audio) and no group is empty. A chunk
    /// longer than the limit is its own group.
    package static func collect(_ chunks: [Range<Int>], maxSeconds: Double = .infinity) -> [SpeechGroup] {
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
