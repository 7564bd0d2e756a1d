package import StenoCore
import StenoVoiceActivity

/// Who speaks when in a recording: voices, and turns by their numbers.
package struct Diarization: Sendable {
    /// A stretch of speech of one voice.
    package struct Turn: Sendable, Hashable {
        /// The samples.
        package var range: Range<Int>
        package var voice: Int
    }

    package struct Voice: Sendable, Hashable {
        /// The mean direction of its windows, of length 1.
        package var embedding: SpeakerEmbedding
        /// How much it speaks, in seconds.
        package var seconds: Double
    }

    /// The voices in the order in which they first speak.
    package private(set) var voices: [Voice] = []
    /// The turns in order of their starts, which may overlap.
    package private(set) var turns: [Turn] = []
    /// Whether the turns begin and end where the speech does, to a few hundredths of a second; otherwise a change of
    /// speakers is only known to half a window, and a brief turn may be a mistake.
    package private(set) var isExact = false

    /// Numbers voices in the order in which they first speak; those without a turn are left out.
    ///
    /// - Parameter turns: The exact turns, in order of their starts.
    init(voices: [Voice], turns: [Turn]) {
        isExact = true
        let order = Self.order(turns.map(\.voice))
        let numbers = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        self.voices = order.map { voices[$0] }
        self.turns = turns.map { Turn(range: $0.range, voice: numbers[$0.voice] ?? 0) }
    }

    /// A pause of up to half a second does not end a turn: within the collars on both sides it counts as no error.
    private static let pause = 8000

    /// - Parameters:
    ///   - regions: The regions of speech, in samples and in order.
    ///   - windows: The windows of every region, in order.
    ///   - wholeWindow: The number of samples in a window that was not filled by repetition.
    ///   - counts: The lowest and the highest number of voices; nil finds it.
    init(
        regions: [Range<Int>], windows: [SpeakerWindow], wholeWindow: Int, counts: ClosedRange<Int>?,
        limits: SpeakerLimits
    ) {
        guard !windows.isEmpty else { return }
        // A short stretch may be noise or two voices: it gets a voice, but does not define one.
        var certain = windows.filter { $0.range.count >= wholeWindow * 7 / 8 }
        if certain.count < 2 { certain = windows }
        let hop = Double(WindowEmbedder.hop) / Double(VoiceActivity.sampleRate)
        let means = SpeakerClustering(certain.map(\.embedding), secondsPerWindow: hop, limits: limits)
            .voices(counts: counts)
        let labels = Self.labels(of: windows, means, doubt: limits.doubt)
        number(windows, labels, means, hop: hop)
        let order = voicesInOrder(labels)
        turns = Self.turns(regions: regions, windows: windows, labels: labels.map { order[$0] ?? 0 })
    }

    /// The voice of each window; a doubtful window gets the voice of the nearest certain one, in the same region if
    /// possible.
    private static func labels(of windows: [SpeakerWindow], _ means: [SpeakerEmbedding], doubt: Float) -> [Int] {
        let found = windows.map { $0.embedding.mostSimilar(of: means) }
        let certain = found.indices.filter { found[$0].margin >= doubt }
        guard means.count > 1, !certain.isEmpty else { return found.map(\.index) }
        var next = 0
        return found.indices.map { index in
            guard found[index].margin < doubt else { return found[index].index }
            while next < certain.count, certain[next] < index { next += 1 }
            let around = [next - 1, next].filter(certain.indices.contains).map { certain[$0] }
            let nearest = around.min { distance(windows[$0], windows[index]) < distance(windows[$1], windows[index]) }
            return found[nearest ?? index].index
        }
    }

    /// The distance between two windows in samples; windows of other regions are further away than any of the same
    /// region.
    private static func distance(_ one: SpeakerWindow, _ other: SpeakerWindow) -> Int {
        abs(one.centre - other.centre) + (one.region == other.region ? 0 : 1 << 40)
    }

    /// Sets the voices in the order of their first windows.
    private mutating func number(
        _ windows: [SpeakerWindow], _ labels: [Int], _ means: [SpeakerEmbedding], hop: Double
    ) {
        var counts = [Int](repeating: 0, count: means.count)
        for label in labels { counts[label] += 1 }
        voices = Self.order(labels).map { Voice(embedding: means[$0], seconds: Double(counts[$0]) * hop) }
    }

    private func voicesInOrder(_ labels: [Int]) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: Self.order(labels).enumerated().map { ($1, $0) })
    }

    private static func order(_ labels: [Int]) -> [Int] {
        var seen: Set<Int> = []
        return labels.filter { seen.insert($0).inserted }
    }

    /// The turns: within a region, the speaker changes halfway between the centres of two windows.
    private static func turns(regions: [Range<Int>], windows: [SpeakerWindow], labels: [Int]) -> [Turn] {
        var turns: [Turn] = []
        for (index, window) in windows.enumerated() {
            let region = regions[window.region]
            let isFirst = index == 0 || windows[index - 1].region != window.region
            let isLast = index + 1 == windows.count || windows[index + 1].region != window.region
            let start = isFirst ? region.lowerBound : (windows[index - 1].centre + window.centre) / 2
            let end = isLast ? region.upperBound : (window.centre + windows[index + 1].centre) / 2
            if let last = turns.last, last.voice == labels[index], start - last.range.upperBound <= pause {
                turns[turns.count - 1].range = last.range.lowerBound..<max(end, last.range.upperBound)
            } else if end > start {
                turns.append(Turn(range: start..<end, voice: labels[index]))
            }
        }
        return turns
    }
}

extension Diarization {
    /// The turns in seconds, with the names of the voices.
    ///
    /// - Parameter names: The name of each voice; those without one are “Speaker 1”, “Speaker 2” and so on, in the
    ///   order in which they first speak.
    package func turns(names: [Int: String] = [:]) -> [SpeakerTurn] {
        turns.map { turn in
            SpeakerTurn(
                start: VoiceActivity.seconds(turn.range.lowerBound), end: VoiceActivity.seconds(turn.range.upperBound),
                speaker: names[turn.voice] ?? Self.name(turn.voice))
        }
    }

    package static func name(_ voice: Int) -> String { "\(namePrefix)\(voice + 1)" }

    /// The voice with this default name (``name(_:)``); nil for a person's name.
    package static func voice(named name: String) -> Int? {
        guard name.hasPrefix(namePrefix), let number = Int(name.dropFirst(namePrefix.count)) else { return nil }
        return number > 0 && name == self.name(number - 1) ? number - 1 : nil
    }

    private static let namePrefix = "Speaker "
}
