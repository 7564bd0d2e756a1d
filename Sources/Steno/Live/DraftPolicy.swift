import StenoCore
import StenoVoice

/// Decides which audio a draft model decodes when, beside the main model, and what of its text is shown.
///
/// A small model decodes the open utterance again and again, or hears it as a stream, so that words are shown before the
/// main model has them (``DraftText``). It never changes the main model's actions except for the partial text, and it
/// gives way first: it waits while an earlier utterance has no final text yet, and stops when its own decodings take
/// too long.
struct DraftPolicy: Sendable {
    private(set) var text: DraftText
    /// The running decoding; its utterance is the index of the draft's own stretch of audio.
    private(set) var running: LiveDecoding?
    /// Whether it has stopped because the machine is too slow.
    private(set) var isPaused = false

    private var hasFailed = false
    private let hearing: LiveHearing
    /// The languages of the model.
    private let languages: Set<String>
    private let shortestSpeech: Int
    /// The utterance of the main model whose audio is decoded.
    private var utterance: Int?
    /// The stretch of that audio, which begins again when the main model's does.
    private var stretch = -1
    /// The first sample of the stretch.
    private var start = 0
    /// The sample up to which the audio has been decoded.
    private var heardTo = 0
    /// The end of the main model's audio at its last change.
    private var joinedTo = 0
    /// The words that a streaming model has finished.
    private var finished: [LiveWord] = []
    /// The tokens of the last text, which the next one probably begins with.
    private var last: [TextPiece] = []
    private var startedAt = 0
    private var nextAt = 0
    /// The mean cost of a decoding in audio time, in samples; recent ones count more.
    private var cost = 0.0

    /// - Parameter languages: The codes of the languages that the model knows.
    init(_ options: LiveOptions, hearing: LiveHearing, languages: some Sequence<String>) {
        text = DraftText(options)
        self.hearing = hearing
        self.languages = Set(languages)
        shortestSpeech = options.shortestSpeech.samples
    }

    // MARK: Decoding

    /// The next decoding, if one is due.
    mutating func next(after main: LivePolicy) -> LiveDecoding? {
        guard running == nil, let open = main.openUtterance, open.speech >= shortestSpeech else { return nil }
        if utterance != open.id {
            utterance = open.id
            (cost, nextAt) = (0, 0)
            isPaused = hasFailed
            restart(at: max(open.start, open.ownStart))
        }
        guard !isPaused, open.settings.task == .transcribe, isDue(main), let language = language(of: main)
        else { return nil }
        keepShort(open, main)
        var settings = open.settings
        settings.language = language
        // A streaming model hears each sample once.
        let from = hearing.isRepeated ? start : heardTo
        let new = LiveDecoding(
            id: 0, utterance: stretch, span: from..<max(from, main.gate.position), speech: open.speech, origin: start,
            request: UtteranceRequest(settings, draft: last))
        running = new
        (startedAt, heardTo) = (main.gate.heard, new.span.upperBound)
        return new
    }

    /// The language of the speech, if it is known and the model knows it.
    private func language(of main: LivePolicy) -> String? {
        main.knownLanguage.flatMap { LanguageCodes.code(for: Languages.code(for: $0) ?? $0, among: languages) }
    }

    /// Leaves out the beginning of long audio, preferably at a final word.
    private mutating func keepShort(_ open: Utterance, _ main: LivePolicy) {
        guard hearing.isRepeated else {
            // A streaming model cannot continue without the audio that it has not heard.
            if heardTo < open.start { restart(at: open.start) }
            return finished.removeAll { $0.end <= open.start }
        }
        let end = main.gate.position
        guard start < open.start || end - start > Self.longest else { return }
        let recent = max(open.start, end - Self.longest / 2)
        restart(at: start < open.start ? open.start : main.finalWord(from: recent)?.start ?? recent)
    }

    private mutating func restart(at sample: Int) {
        stretch += 1
        (start, heardTo) = (sample, sample)
        (finished, last) = ([], [])
    }

    private func isDue(_ main: LivePolicy) -> Bool {
        let gate = main.gate
        if case .streaming(let step) = hearing { return gate.position - heardTo >= step && gate.heard >= nextAt }
        // A dip of a window or two may be a pause; and one decoding covers the words before a pause, unless the main
        // model has heard them.
        if gate.quiet == 0 { return gate.heard >= nextAt }
        return gate.quiet >= DecodingSchedule.notice && max(heardTo, main.shownTo) < gate.quietFrom
    }

    // MARK: Text

    /// The actions of the main model, with the draft's words after its partial text.
    mutating func joined(_ actions: [LiveAction], of main: LivePolicy) -> [LiveAction] {
        // This runs for every window, and mostly nothing has changed.
        guard !actions.isEmpty || main.shownTo != joinedTo else { return [] }
        joinedTo = main.shownTo
        let joined = text.joined(actions, heardTo: main.shownTo)
        return joined + text.refreshed(heardTo: main.shownTo)
    }

    /// Takes the result of a decoding; more audio has arrived in the meantime.
    mutating func update(with hypothesis: UtteranceHypothesis, after main: LivePolicy) -> [LiveAction] {
        guard let done = running else { return [] }
        running = nil
        measure(from: startedAt, to: main.gate.heard)
        guard let open = main.openUtterance, open.id == utterance, done.utterance == stretch else { return [] }
        let words = hypothesis.words.map { LiveWord($0, origin: done.origin) }
        let all = finished + words
        if hearing.isRepeated {
            last = words.pieces
        } else {
            finished += words.prefix(max(hypothesis.finalCount, 0))
        }
        guard !hypothesis.isImplausible, !hypothesis.isSilence, isSpeakable(all, done) else { return [] }
        // A streaming model continues when the main model's audio is trimmed.
        let from = hearing.isRepeated ? done.origin : max(done.origin, open.start)
        return text.take(
            all.filter { $0.end > from }, of: from..<max(from, done.span.upperBound), utterance: open.id,
            heardTo: main.shownTo)
    }

    /// Drops the running decoding, because it failed; there is no draft from now on.
    mutating func fail() {
        running = nil
        (hasFailed, isPaused) = (true, true)
    }

    mutating func clear() { text.clear() }

    private func isSpeakable(_ words: [LiveWord], _ done: LiveDecoding) -> Bool {
        let letters = words.reduce(0) { $0 + $1.key.unicodeScalars.count }
        return Double(letters) <= Self.mostLettersPerSecond * (done.span.upperBound - done.origin).seconds + 8
    }

    // MARK: Load

    private mutating func measure(from begin: Int, to end: Int) {
        // A result is noticed at the end of a window: on average, half a window after it arrives.
        let newest = max(0, Double(end - begin - VoiceActivity.windowLength / 2))
        cost = cost == 0 ? newest : cost + Self.weight * (newest - cost)
        nextAt = begin + max(Self.shortestStep, Int(cost / Self.mostBusy))
        if cost > Self.mostUseful { isPaused = true }
    }

    /// The shortest time between the starts of two decodings.
    private static let shortestStep = 0.12.samples
    /// The fraction of the time that the draft may decode: meanwhile it slows down the other model.
    private static let mostBusy = 0.25
    /// The weight of the newest decoding in the mean cost.
    private static let weight = 0.25
    /// Text of decodings that take longer than this is no earlier than the main model's.
    private static let mostUseful = Double(0.3.samples)
    /// The longest audio that is decoded again and again.
    private static let longest = 10.0.samples
    /// The fastest possible speech.
    private static let mostLettersPerSecond = 40.0
}
