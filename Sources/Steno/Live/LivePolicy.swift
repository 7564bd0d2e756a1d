import StenoCore
import StenoVoiceActivity

/// Decides which audio to decode when, and which words are final: live transcription without a clock, thread or model.
///
/// Probabilities of speech and decoded hypotheses go in, actions come out. ``UtteranceQueue`` turns the probabilities
/// into utterances, ``DecodingSchedule`` decides when to decode, and ``Commitment`` which words are final. In a pause,
/// when words are held up, and when an utterance has ended, decoding is thorough: with beam search and more audio around
/// the speech. Other decodings are quick, so that words are shown soon. Utterances are decoded in order; when several
/// are waiting, each is decoded only once, at its end.
///
/// A streaming model hears each sample once (``LiveHearing``): its utterance is trimmed as soon as it has been heard,
/// and the model decides which words are final.
struct LivePolicy: Sendable {
    let options: LiveOptions
    private let hearing: LiveHearing
    private var queue: UtteranceQueue
    private var commitment: Commitment
    private var schedule: DecodingSchedule
    private var language: SpokenLanguage
    /// The id of the utterance that ``commitment`` is working on.
    private var begun: Int?
    /// The clock at the last thorough decoding.
    private var thoroughAt = 0
    /// Requests to finalize, with the newest utterance they wait for.
    private var requests: [(sample: Int, utterance: Int)] = []

    init(_ options: LiveOptions, hearing: LiveHearing = .repeated) {
        self.options = options
        self.hearing = hearing
        queue = UtteranceQueue(options)
        commitment = Commitment(options, agreesTwice: hearing == .repeatedAlike)
        schedule = DecodingSchedule(options, hearing)
        language = SpokenLanguage(options.settings, switches: options.switchesLanguage, after: options.languageAfter)
    }

    var gate: SpeechGate { queue.gate }
    var decoding: LiveDecoding? { schedule.running }
    var neededFrom: Int { queue.neededFrom }

    /// The lag of the text behind the audio, in seconds; less than a step is normal.
    var lag: Double {
        guard let first = queue.first else { return 0 }
        let decoded = max(schedule.decodedUpTo, first.start)
        // The silence after the last word is not decoded, and gaps take no time.
        if first.end == nil, gate.quiet > 0, decoded >= gate.quietFrom { return 0 }
        return max(0, gate.heard - (decoded - first.skipped)).seconds
    }

    // MARK: Audio

    /// Takes the probability of speech in the next window of audio, and its energy (only for shedding).
    mutating func hear(_ probability: Float, energy: Float = 0) -> [LiveAction] {
        var actions: [LiveAction] = []
        let (start, quiet) = (gate.position, gate.quiet)
        switch queue.hear(probability, energy: energy, lastWord: commitment.lastWord) {
        case .begins: actions.append(.speech(isSpeaking: true, at: start))
        case .ends(let end): actions.append(.speech(isSpeaking: false, at: end))
        case nil: if quiet >= DecodingSchedule.notice, gate.quiet == 0 { schedule.begin(at: gate.heard) }
        }
        shed(&actions)
        advance(&actions)
        return actions
    }

    mutating func finish(at end: Int) -> [LiveAction] {
        var actions: [LiveAction] = []
        if queue.open != nil { actions.append(.speech(isSpeaking: false, at: end)) }
        queue.close(at: end)
        advance(&actions)
        return actions
    }

    /// Continues at a later position, after a gap in the audio; an open utterance ends before the gap.
    ///
    /// - Parameter position: Not before the gate's position.
    mutating func skip(to position: Int) -> [LiveAction] {
        var actions: [LiveAction] = []
        if gate.isOpen { actions.append(.speech(isSpeaking: false, at: gate.quietFrom)) }
        queue.skip(to: position)
        advance(&actions)
        return actions
    }

    // MARK: Requests

    /// Makes the audio before a sample final as soon as possible; an open utterance is cut there.
    ///
    /// ``LiveAction/finalized(through:)`` follows once all of its text is final.
    mutating func finalize(through sample: Int) -> [LiveAction] {
        // An utterance with final words beyond the sample is final up to it. Speech that has barely begun is not cut:
        // its first syllable is too short to be decoded separately, and would be missing from the rest.
        if commitment.lastWord < sample, let open = queue.open,
            open.speech >= options.shortestSpeech.samples || (open.id == begun && commitment.hasFinals)
        {
            queue.cut(at: sample, lastWord: commitment.lastWord)
        }
        let isOpen = queue.open != nil
        requests.append((sample, isOpen ? queue.newest - 1 : queue.newest))
        var actions: [LiveAction] = []
        advance(&actions)
        return actions
    }

    /// Drops all speech and text that is not final, and the context; speech continues in a new utterance.
    mutating func clear() -> [LiveAction] {
        var actions: [LiveAction] = []
        for utterance in queue.utterances { skip(utterance, upTo: gate.position, &actions) }
        if let begun, queue.first?.id == begun { actions.append(.endUtterance(begun)) }
        queue.clear()
        commitment.clear()
        advance(&actions)
        return actions
    }

    /// Drops speech before a sample if its text is not final; an open utterance is cut there, and the rest is
    /// transcribed.
    mutating func forget(before sample: Int) -> [LiveAction] {
        let cut = queue.cut(at: sample, lastWord: commitment.lastWord)
        var actions: [LiveAction] = []
        for utterance in queue.forget(before: cut) {
            skip(utterance, upTo: cut, &actions)
            if utterance.id == begun { actions.append(.endUtterance(utterance.id, mark: commitment.takeMark())) }
        }
        advance(&actions)
        return actions
    }

    /// Reports the cleared part of an utterance, up to its end or a sample.
    private func skip(_ utterance: Utterance, upTo sample: Int, _ actions: inout [LiveAction]) {
        let (start, end) = (max(utterance.ownStart, commitment.lastWord), utterance.end ?? sample)
        if utterance.speech > 0, start < end { actions.append(.skipped(start..<end, .cleared)) }
    }

    /// Uses another language, task or vocabulary from now on; an open utterance ends here, with the old settings.
    mutating func change(_ settings: SpeechSettings) -> [LiveAction] {
        guard settings != queue.settings else { return [] }
        queue.change(settings)
        var actions: [LiveAction] = []
        advance(&actions)
        return actions
    }

    // MARK: Decoding

    /// Takes the result of the requested decoding; more audio has arrived in the meantime.
    ///
    /// A result whose utterance was cut or cleared in the meantime is ignored.
    mutating func update(with hypothesis: UtteranceHypothesis) -> [LiveAction] {
        guard let done = schedule.running else { return [] }
        schedule.end(at: gate.heard)
        var actions: [LiveAction] = []
        if let first = queue.first, first.id == done.utterance, begun == first.id, first.stillCovers(done.span) {
            take(hypothesis, of: done, first, &actions)
        }
        advance(&actions)
        return actions
    }

    private mutating func take(
        _ hypothesis: UtteranceHypothesis, of done: LiveDecoding, _ first: Utterance, _ actions: inout [LiveAction]
    ) {
        if done.request.settings.language == nil { detect(hypothesis.language, of: done, &actions) }
        if case .streaming = hearing {
            actions += commitment.hear(hypothesis, done)
            if done.isLast { removeFirst(&actions) } else { queue.trimFirst(to: done.span.upperBound) }
            return
        }
        let (words, speech) = (commitment.words(of: hypothesis, done), first.speechProfile)
        // Without the preceding words, the model may recognise words that it missed after them.
        if commitment.isMisled(words, of: done, speech: speech) { return queue.trimFirst(to: commitment.trimAll()) }
        guard !done.isLast else {
            actions += commitment.finish(with: words, of: hypothesis, done, speech: speech)
            return removeFirst(&actions)
        }
        let isLanguageLikely = language.known != nil || hypothesis.language.probability >= Self.likelyLanguage
        let isLong = isLong(first)
        actions += commitment.take(
            words, of: hypothesis, done, commits: commitsEarly && (options.balance != .accurate || isLong),
            shows: isLanguageLikely)
        if isLong, let cut = commitment.trim(from: first.start) {
            queue.trimFirst(to: cut)
        } else if commitment.isStalled(silence: gate.quiet) {
            queue.trimFirst(to: commitment.trimAll())
        }
    }

    /// Whether an utterance is so long that its beginning must become final and be trimmed.
    private func isLong(_ utterance: Utterance) -> Bool {
        // In a script that the model spells out in many tokens, ten seconds of speech may fill all the room for text.
        gate.position - utterance.start > options.trimAfter.samples || commitment.isFull
    }

    /// The first syllables may be mistaken for any language; text in a wrong language is not shown.
    private static let likelyLanguage = 0.5

    private mutating func detect(_ found: LanguageDetection, of done: LiveDecoding, _ actions: inout [LiveAction]) {
        if language.hear(found.language) { commitment.forgetHypotheses() }
        if language.accept(found, after: done.speech) { actions.append(.language(found)) }
    }

    /// Half a sentence cannot be translated reliably, nor transcribed while the language is unknown.
    private var commitsEarly: Bool { language.settings.task == .transcribe && language.known != nil }

    /// Performs the next step: words before a pause, the next decoding, or the end of an utterance.
    private mutating func advance(_ actions: inout [LiveAction]) {
        while let first = beginFirst() {
            if commitsEarly, let pause = first.pause(around: commitment.heardTo) {
                actions += commitment.settle(before: pause, speech: first.speechProfile)
            }
            guard schedule.running == nil else { break }
            guard let end = first.end else {
                if first.speech >= options.shortestSpeech.samples, schedule.isDue(gate, from: first.start) {
                    actions.append(decode(first, upTo: gate.position, wantsThorough(first) ? .thorough : .quick))
                }
                break
            }
            if first.speech >= options.shortestSpeech.samples || commitment.hasFinals {
                actions.append(decode(first, upTo: end, .last))
                break
            }
            if first.speech > 0 { actions.append(.skipped(first.ownStart..<end, .tooShort)) }
            removeFirst(&actions)
        }
        while let request = requests.first, queue.first.map({ $0.id > request.utterance }) ?? true {
            actions.append(.finalized(through: request.sample))
            requests.removeFirst()
        }
    }

    /// The first utterance; begins its text if necessary.
    private mutating func beginFirst() -> Utterance? {
        guard let new = queue.first, begun != new.id else { return queue.first }
        begun = new.id
        schedule.begin(at: new.heardFrom - new.skipped)
        // A translation of both would not continue the first one's, and neither would a decoding in another language.
        let isContinued = queue.joinFirst(
            allowed: commitsEarly && !options.switchesLanguage && commitment.isContinuable)
        commitment.begin(new, after: language.settings, isContinued: isContinued)
        language.begin(new.settings)
        // With one decoding per sentence, the joined audio would outgrow the model's window.
        if isContinued, let first = queue.first, isLong(first), let cut = commitment.trim(from: first.start) {
            queue.trimFirst(to: cut)
        }
        return queue.first
    }

    /// Whether the next decoding of the open utterance should be thorough: in a pause, and if a doubtful word delays
    /// others.
    private func wantsThorough(_ utterance: Utterance) -> Bool {
        guard hearing.isRepeated, commitsEarly, options.balance != .accurate || isLong(utterance) else { return false }
        // A thorough decoding costs no more, and says more about the end of the utterance.
        if gate.quiet > 0 || hearing == .repeatedAlike { return true }
        return commitment.isHeldUp && gate.heard >= thoroughAt + Self.thoroughStep
    }

    /// The shortest time between two thorough decodings during speech.
    private static let thoroughStep = 0.4.samples

    private mutating func decode(
        _ utterance: Utterance, upTo end: Int, _ effort: UtteranceRequest.Effort
    ) -> LiveAction {
        var settings = utterance.settings
        settings.language = language.known
        let request = UtteranceRequest(
            settings, effort: effort, context: commitment.context, draft: effort == .quick ? commitment.draft : [])
        let isStreaming = !hearing.isRepeated
        let new = LiveDecoding(
            id: schedule.count, utterance: utterance.id, span: utterance.start..<max(end, utterance.start),
            speech: utterance.speech, origin: isStreaming ? utterance.ownStart : utterance.start, request: request)
        if isStreaming { queue.stream(to: new.span.upperBound) }
        if new.isThorough { thoroughAt = gate.heard }
        schedule.start(new, at: gate.heard)
        return .decode(new)
    }

    private mutating func removeFirst(_ actions: inout [LiveAction]) {
        guard let first = queue.first else { return }
        actions.append(.endUtterance(first.id, mark: commitment.takeMark()))
        queue.removeFirst()
    }

    /// Skips the quietest waiting utterances while too much audio is waiting, if the caller allows it.
    private mutating func shed(_ actions: inout [LiveAction]) {
        guard let limit = options.sheddingLag else { return }
        while queue.backlog(decodedUpTo: schedule.decodedUpTo) > limit.samples {
            let isKept = commitment.hasFinals || schedule.running?.utterance == begun
            guard let shed = queue.shedQuietest(keeping: isKept ? begun : nil) else { return }
            actions.append(.skipped(shed.span, .overload))
            if shed.id == begun { actions.append(.endUtterance(shed.id, mark: commitment.takeMark())) }
        }
    }
}
