import StenoCore
import StenoVoiceActivity

/// The memory of an ``OnlineDiarizer``: some windows with the numbers of their voices.
struct VoiceMemory {
    struct Labelled {
        var window: SpeakerWindow
        var isWhole: Bool
        var voice: Int
        /// Whether it is whole and unlike every voice known when it arrived.
        var isStrange = false
    }

    /// The number of windows above which older ones are thinned out, and the number of latest windows that are all
    /// kept.
    private static let limit = (all: 320, latest: 160)
    /// A voice with at most this many windows keeps its older ones.
    private static let leastOfVoice = 12

    /// The voices are clustered again after two windows that are less similar to every voice than `unlike`, and at
    /// least as similar to each other as `like`: a single one often contains the end of a turn and the beginning of
    /// another.
    private static let newVoice = (unlike: Float(0.8), like: Float(0.75))

    private let limits: SpeakerLimits
    /// In order of time.
    private(set) var windows: [Labelled] = []
    private(set) var voices: [Int: Diarization.Voice] = [:]
    private var numbering = VoiceNumbers()
    private var changes: [VoiceChange] = []
    private var sinceSearch = 0
    /// The number of searches for voices, including the first window.
    private(set) var searches = 0

    init(limits: SpeakerLimits) { self.limits = limits }

    /// Adds the latest window; from time to time, or when a new voice appears, the voices are clustered again.
    mutating func add(_ window: SpeakerWindow, isWhole: Bool) {
        let best = best(window)
        let isStrange = isWhole && best?.cosine ?? 1 < Self.newVoice.unlike
        let isNew =
            isStrange
            && windows.last.map { $0.isStrange && $0.window.embedding.dot(window.embedding) >= Self.newVoice.like }
                ?? false
        windows.append(Labelled(window: window, isWhole: isWhole, voice: best?.voice ?? 0, isStrange: isStrange))
        if voices.isEmpty {
            voices[0] = Diarization.Voice(embedding: window.embedding, seconds: Self.secondsPerWindow)
            searches += 1
        }
        sinceSearch += 1
        let kept = VoiceNumbers.kept(windows.map(\.voice), limit: Self.limit, least: Self.leastOfVoice) {
            windows[$0].isWhole
        }
        windows = kept.map { windows[$0] }
        if sinceSearch >= max(4, windows.count / 16) || isNew { findVoices() }
    }

    /// The voice at a sample: the nearest window's, if its centre is near enough.
    func voice(at sample: Int, within distance: Int?) -> Int? {
        var nearest: (distance: Int, voice: Int)?
        for labelled in windows.reversed() {
            let own = abs(labelled.window.centre - sample)
            guard own <= nearest?.distance ?? .max else { break }
            nearest = (own, labelled.voice)
        }
        guard let nearest, nearest.distance <= distance ?? .max else { return nil }
        return nearest.voice
    }

    func mostSimilar(_ window: SpeakerWindow) -> Int? { best(window)?.voice }

    /// Returns the corrections and forgets them.
    mutating func takeChanges() -> [VoiceChange] {
        defer { changes = [] }
        return changes
    }

    private static let secondsPerWindow = Double(WindowEmbedder.hop) / Double(VoiceActivity.sampleRate)

    private func best(_ window: SpeakerWindow) -> (voice: Int, cosine: Float)? {
        let best = voices.map { (voice: $0.key, cosine: $0.value.embedding.dot(window.embedding)) }
            .max { ($0.cosine, $1.voice) < ($1.cosine, $0.voice) }
        return best
    }

    // MARK: Finding the voices

    mutating func findVoices() {
        guard sinceSearch > 0 else { return }
        sinceSearch = 0
        let certain = windows.filter(\.isWhole)
        guard certain.count >= 2 else { return }
        searches += 1
        let means = SpeakerClustering(
            certain.map(\.window.embedding), secondsPerWindow: Self.secondsPerWindow, limits: limits
        ).voices(count: nil)
        let found = windows.map { $0.window.embedding.mostSimilar(of: means) }
        let numbers = numbering.numbers(of: found.map(\.index), had: windows.map(\.voice), count: means.count)
        // A doubtful window keeps its voice, unless the voice is gone.
        let now = windows.indices.map { index in
            let isDoubtful = found[index].margin < limits.doubt && numbers.contains(windows[index].voice)
            return isDoubtful ? windows[index].voice : numbers[found[index].index]
        }
        report(now, gone: Set(voices.keys).subtracting(numbers))
        for index in windows.indices { windows[index].voice = now[index] }
        voices = [:]
        for (index, number) in numbers.enumerated() {
            let seconds = Double(now.reduce(0) { $0 + ($1 == number ? 1 : 0) }) * Self.secondsPerWindow
            voices[number] = Diarization.Voice(embedding: means[index], seconds: seconds)
        }
    }

    /// Records the changes: a voice that is gone changes in all of the audio, others in the stored windows.
    private mutating func report(_ now: [Int], gone: Set<Int>) {
        for voice in gone.sorted() {
            guard let heir = VoiceNumbers.heir(of: voice, had: windows.map(\.voice), now: now) else { continue }
            changes.append(VoiceChange(range: nil, was: voice, now: heir))
            for index in windows.indices where windows[index].voice == voice { windows[index].voice = heir }
        }
        let half = WindowEmbedder.hop / 2
        for (index, labelled) in windows.enumerated() where labelled.voice != now[index] {
            let range = place(of: index)
            if let last = changes.last, last.was == labelled.voice, last.now == now[index], let own = last.range,
                range.lowerBound >= own.lowerBound, range.lowerBound - own.upperBound <= half
            {
                changes[changes.count - 1].range = own.lowerBound..<range.upperBound
            } else {
                changes.append(VoiceChange(range: range, was: labelled.voice, now: now[index]))
            }
        }
    }

    /// The span that a window represents: up to half-way to its neighbours in the same region.
    private func place(of index: Int) -> Range<Int> {
        let own = windows[index].window
        var range = own.range
        if index > 0, windows[index - 1].window.region == own.region {
            range = max(range.lowerBound, (windows[index - 1].window.centre + own.centre) / 2)..<range.upperBound
        }
        if index + 1 < windows.count, windows[index + 1].window.region == own.region {
            range = range.lowerBound..<min(range.upperBound, (own.centre + windows[index + 1].window.centre) / 2)
        }
        return range
    }
}
