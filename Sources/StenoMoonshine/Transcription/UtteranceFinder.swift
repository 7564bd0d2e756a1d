import StenoCore
import StenoVoiceActivity

/// Finds the utterances of a clip while it is read: speech between pauses, cut where it is too long for the model.
///
/// The model processes speech of up to half a minute as a whole, without padding, and invents words in silence. So it is
/// given only speech, found by voice activity detection.
final class UtteranceFinder {
    /// The longest utterance, in samples.
    ///
    /// Half a minute is possible, but memory and time of the attention grow with the square of the length, and texts of
    /// eight to 35 seconds are equally good.
    static let longest = 20 * VoiceActivity.sampleRate
    static let options = VoiceActivityOptions().with {
        ($0.minSpeechSeconds, $0.minSilenceSeconds, $0.speechPadSeconds) = (0.1, 0.6, 0.3)
    }
    /// The longest gap between padded speech within an utterance, in samples: a pause of 1.5 s.
    ///
    /// Half a sentence is often misheard, because the model expects a whole one.
    private static let longestGap = 9 * VoiceActivity.sampleRate / 10

    private let reader: SampleReader
    /// The samples that belong to the clip; its end may be beyond that of the audio.
    private let clip: Range<Int>
    private let longest: Int
    private var stream: VoiceActivityStream
    private var timestamps: SpeechTimestamps
    private var windows: WindowMeasures
    /// The number of settled chunks that belong to utterances.
    private var taken = 0
    /// The sample, from the start of the clip, up to which audio belongs to earlier utterances.
    private var end = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - reader: Must still have the samples of the clip.
    ///   - detector: The detector, for this clip only.
    ///   - longest: The longest utterance, in samples.
    init(
        _ clip: Range<Int>, of reader: SampleReader, detector: any VoiceActivityDetector, longest: Int = longest
    ) {
        (self.clip, self.longest, self.reader) = (clip, longest, reader)
        stream = VoiceActivityStream(detector)
        timestamps = SpeechTimestamps(Self.options)
        windows = WindowMeasures(start: clip.lowerBound)
    }

    /// The first sample that is still needed; everything before it belongs to earlier utterances or is silence.
    var neededFrom: Int { clip.lowerBound + max(end, chunk?.span.lowerBound ?? timestamps.certain.end) }

    /// The samples of the next utterance; nil after the last one.
    ///
    /// - Parameter didListen: Called after each half second of audio.
    func next(didListen: () -> Void = {}) throws -> Range<Int>? {
        while true {
            windows.forget(before: neededFrom)
            if let found = complete() {
                end = found.upperBound
                while taken < timestamps.chunks.count, timestamps.chunks[taken].upperBound <= end { taken += 1 }
                let range = found.lowerBound + clip.lowerBound..<found.upperBound + clip.lowerBound
                if windows.hasSpeech(range) { return range }
            } else {
                guard !hasEnded else { return nil }
                try listen()
                didListen()
            }
        }
    }

    /// The speech probabilities in a range of samples and around it.
    func profile(_ range: Range<Int>) -> SpeechProfile { windows.profile(range) }

    /// The sample at which an utterance is best cut in two.
    func middle(of range: Range<Int>) -> Int {
        let margin = range.count / 4
        return windows.quietest(range.lowerBound + margin..<range.upperBound - margin)
    }

    /// The first speech that does not belong to an utterance yet, with what follows soon, and whether it cannot grow.
    private var chunk: (span: Range<Int>, isSettled: Bool)? {
        let certain = timestamps.certain
        let spans = (timestamps.chunks[taken...] + certain.growing).filter { $0.upperBound > end }
        guard var span = spans.first else { return nil }
        for next in spans.dropFirst() {
            // Something follows, so the span itself has ended.
            guard next.lowerBound - span.upperBound < Self.longestGap,
                next.upperBound - max(span.lowerBound, end) <= longest
            else { return (span, true) }
            span = span.lowerBound..<next.upperBound
        }
        return (span, hasEnded || certain.end > span.upperBound + Self.longestGap)
    }

    /// An utterance that is certain by now, from the start of the clip.
    private func complete() -> Range<Int>? {
        guard let chunk else { return nil }
        let start = max(chunk.span.lowerBound, end)
        if min(chunk.span.upperBound, stream.position) - start > longest {
            let first = clip.lowerBound + start
            return start..<windows.quietest(first + longest / 2..<first + longest) - clip.lowerBound
        }
        return chunk.isSettled ? start..<chunk.span.upperBound : nil
    }

    private func listen() throws {
        let from = clip.lowerBound + stream.sampleCount
        while reader.position <= min(from, clip.upperBound - 1), try reader.readOn() {}
        // In small steps also where the audio has been read for an earlier clip.
        let to = min(reader.position, clip.upperBound, from + SampleReader.readLength)
        if from < to {
            let samples = Array(reader[from..<to])
            windows.append(levels: samples)
            hear(stream.push(samples))
        }
        guard to >= clip.upperBound || reader.hasEnded && to >= reader.position else { return }
        hasEnded = true
        hear(stream.finish())
        timestamps.finish(sampleCount: stream.sampleCount)
    }

    private func hear(_ probabilities: [Float]) {
        windows.append(probabilities)
        timestamps.append(probabilities)
    }
}

/// Splits the words of an utterance into sentences, which become segments.
enum Sentences {
    private static let ends = Set(".!?…。！？")
    /// Marks that may follow the end of a sentence.
    private static let closing = Set("\"'”’»)]）」』")
    /// A pause of this many seconds ends a segment whatever the text.
    private static let longestPause = 1.5

    static func split(_ words: [Word]) -> [[Word]] {
        var sentences: [[Word]] = []
        for word in words {
            if let last = sentences.last?.last, !isEnd(last, before: word) {
                sentences[sentences.count - 1].append(word)
            } else {
                sentences.append([word])
            }
        }
        return sentences
    }

    /// Whether a sentence ends between two words.
    ///
    /// After an abbreviation it does not: a known one such as “Mr.”, one with a point inside such as “e.g.”, or any
    /// before a word in lower case.
    private static func isEnd(_ word: Word, before next: Word) -> Bool {
        if next.start - word.end > longestPause { return true }
        let core = word.text.reversed().drop { closing.contains($0) }
        guard let mark = core.first, ends.contains(mark) else { return false }
        guard mark == "." else { return true }
        let letters = core.dropFirst()
        let isAbbreviation =
            abbreviations.contains(String(letters.reversed()).lowercased())
            || letters.contains(".") && !letters.contains(where: \.isNumber)
        return !isAbbreviation && next.text.first { $0.isLetter || $0.isNumber }?.isLowercase != true
    }

    private static let abbreviations: Set = [
        "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "no", "sra", "ud",
    ]
}
