package import StenoCore

/// Audio without its silence: the speech in another source, joined without gaps.
///
/// Voice activity is detected while the other source is read, and only undecided audio is buffered: the silence at the
/// end of speech, and with a limit of ``VoiceActivityOptions/maxSpeechSeconds`` at most that much. It therefore works
/// on a pipe, and a recording of any length takes a fixed amount of memory. After ``rewind()`` the chunks found in the
/// first pass are used.
///
/// ``restore(_:)`` converts times in the joined speech to times in the original audio.
package final class SpeechSource: SampleSource {
    /// The number of samples read from the other source at once: half a second.
    private static let readLength = 8192

    /// The final chunks of speech so far, in samples of the original audio; all of them once ``sampleCount`` is known.
    package var chunks: [Range<Int>] { timestamps.chunks }
    /// The length of the original audio in samples, once it has been read to its end.
    package private(set) var sampleCount: Int?

    private let source: any SampleSource
    private let options: VoiceActivityOptions
    private let checkCancellation: () throws -> Void
    private var stream: VoiceActivityStream
    private var timestamps: SpeechTimestamps

    /// Samples of the original audio, from `bufferStart`.
    private var buffer: [Float] = []
    private var bufferStart = 0
    /// The first sample of the original audio that has been neither returned nor skipped.
    private var cursor = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - source: The audio; only this object may read it from now on.
    ///   - detector: The detector, for this source only.
    ///   - checkCancellation: Called before every half second of audio; an error it throws ends the reading.
    /// - Throws: ``StenoError`` when an option is outside its range.
    package init(
        _ source: any SampleSource, detector: any VoiceActivityDetector,
        options: VoiceActivityOptions = VoiceActivityOptions(), checkCancellation: @escaping () throws -> Void = {}
    ) throws {
        try options.validate()
        (self.source, self.options, self.checkCancellation) = (source, options, checkCancellation)
        stream = VoiceActivityStream(detector)
        timestamps = SpeechTimestamps(options)
    }

    package func read(into output: UnsafeMutableBufferPointer<Float>) throws -> Int {
        var count = 0
        while count == 0, !output.isEmpty {
            count = copySpeech(into: output)
            if count == 0 {
                guard !hasEnded else { return 0 }
                try listen()
            }
        }
        return count
    }

    /// Starts again at the first speech; chunks are kept if the first pass reached the end.
    package func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        buffer.removeAll(keepingCapacity: true)
        (bufferStart, cursor, hasEnded) = (0, 0, false)
        if sampleCount == nil {
            stream = VoiceActivityStream(stream.detector)
            timestamps = SpeechTimestamps(options)
        }
        return true
    }

    /// The maximum number of samples buffered so far, for tests of memory use.
    private(set) var mostBuffered = 0

    private func listen() throws {
        try checkCancellation()
        dropBefore(cursor)
        let start = buffer.count
        buffer.append(contentsOf: [Float](repeating: 0, count: Self.readLength))
        let count = try buffer.withUnsafeMutableBufferPointer { buffer in
            let room = UnsafeMutableBufferPointer(rebasing: buffer[start...])
            let count = max(0, try source.read(into: room))
            if sampleCount == nil { timestamps.append(stream.push(UnsafeBufferPointer(rebasing: room[..<count]))) }
            return count
        }
        buffer.removeLast(Self.readLength - count)
        mostBuffered = max(mostBuffered, buffer.count)
        if count == 0 { end() }
    }

    private func end() {
        hasEnded = true
        guard sampleCount == nil else { return }
        timestamps.append(stream.finish())
        timestamps.finish(sampleCount: stream.sampleCount)
        sampleCount = stream.sampleCount
    }

    /// Copies speech that is certain and buffered, starting at the cursor.
    private func copySpeech(into output: UnsafeMutableBufferPointer<Float>) -> Int {
        let available = bufferStart + buffer.count
        let certain = timestamps.certain
        guard let chunk = speech(at: cursor, growing: certain.growing) else {
            cursor = max(cursor, min(certain.end, available))
            return 0
        }
        let start = max(cursor, chunk.lowerBound)
        let count = min(output.count, min(chunk.upperBound, available) - start)
        guard count > 0 else {
            cursor = max(cursor, min(start, available))
            return 0
        }
        let offset = start - bufferStart
        _ = output.update(fromContentsOf: buffer[offset..<offset + count])
        cursor = start + count
        return count
    }

    /// The first chunk that ends after a sample.
    private func speech(at sample: Int, growing: [Range<Int>]) -> Range<Int>? {
        var low = 0, high = timestamps.chunks.count
        while low < high {
            let middle = (low + high) / 2
            if timestamps.chunks[middle].upperBound > sample { high = middle } else { low = middle + 1 }
        }
        if low < timestamps.chunks.count { return timestamps.chunks[low] }
        return growing.first { $0.upperBound > sample }
    }

    private func dropBefore(_ sample: Int) {
        let count = min(sample - bufferStart, buffer.count)
        guard count > 0 else { return }
        buffer.removeFirst(count)
        bufferStart += count
    }
}

extension SpeechSource {
    /// The number of samples of speech so far; of the whole recording once ``sampleCount`` is known.
    package var speechSampleCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// The chunks known so far; the last ones end where speech is certain so far.
    package var knownChunks: [Range<Int>] { timestamps.chunks + timestamps.certain.growing }
}
