import StenoCore

/// The audio and requests waiting for the session's thread, in order.
struct SessionInbox: Sendable {
    enum Item: Sendable {
        case audio([Float], at: Int)
        case discontinuity(AudioDiscontinuity)
        /// Makes the audio before a sample final (nil: all audio before the request), and reports `id` when it is.
        case finalize(through: Int?, id: Int)
        case clear
        /// Forgets speech before a sample if its text is not final.
        case forget(before: Int)
        case change(SpeechSettings)
    }

    /// The number of waiting samples above which callers must wait.
    let limit: Int
    /// The position after the last sample put in.
    private(set) var end = 0
    private(set) var waitingSamples = 0
    private var items = FIFO<Item>()
    /// The position up to which chunks have reported missing audio; a chunk may have a report but no samples.
    private var reportedTo = 0

    init(limit: Int) { self.limit = limit }

    /// Whether callers must wait before they add more audio.
    var isFull: Bool { waitingSamples > limit }

    /// Adds a chunk; one that begins after the end of the previous leaves a gap, which takes no memory.
    ///
    /// Samples before the end were already added: they are dropped, and the overlap is reported. A gap that no chunk
    /// reports is reported too.
    mutating func put(_ chunk: AudioChunk) {
        for discontinuity in chunk.discontinuities { put(.discontinuity(discontinuity)) }
        if !chunk.discontinuities.isEmpty { reportedTo = max(reportedTo, chunk.position) }
        let known = max(end, reportedTo)
        var samples = chunk.samples, position = chunk.position
        if position < end {
            let repeated = min(samples.count, end - position)
            guard repeated > 0 else { return }
            put(.discontinuity(AudioDiscontinuity(.overlapped, position: end, length: repeated)))
            samples.removeFirst(repeated)
            position = end
        } else if position > known, !samples.isEmpty {
            put(.discontinuity(AudioDiscontinuity(.skipped, position: known, length: position - known)))
        }
        guard !samples.isEmpty else { return }
        end = position + samples.count
        waitingSamples += samples.count
        // In pieces, so that the thread notices the end of the session, and its limits, in the middle of an hour of
        // audio.
        for start in stride(from: 0, to: samples.count, by: Self.pieceLength) {
            let piece = samples[start..<min(samples.count, start + Self.pieceLength)]
            put(.audio(piece.count == samples.count ? samples : Array(piece), at: position + start))
        }
    }

    /// One second.
    static let pieceLength = AudioFile.sampleRate

    mutating func put(_ item: Item) { items.append(item) }

    /// The next item; nil if it is audio that the thread cannot take, since items stay in order.
    mutating func take(acceptsAudio: Bool) -> Item? {
        if case .audio(let samples, _)? = items.first {
            guard acceptsAudio else { return nil }
            waitingSamples -= samples.count
        }
        return items.popFirst()
    }

    var isEmpty: Bool { items.isEmpty }
}
