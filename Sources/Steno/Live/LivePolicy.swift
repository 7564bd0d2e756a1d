import StenoCore
import StenoVoice
import StenoWhisper

/// Decides which audio to decode when, and which words are final: live transcription without clock, thread or model.
///
/// Probabilities of speech and decoded hypotheses go in, actions come out. The rules:
///
/// - A gate opens with speech and closes after a silence; what is in between, with a pre-roll, is an
///   utterance. It is decoded every ``LiveOptions/step``, from its start, with its final words forced.
/// - A word is final when consecutive decodings agree on it (LocalAgreement, Macháček et al. 2023) and it
///   ended a moment before the end of the audio (AlignAtt, Papi et al. 2023). Final words are only ever appended to.
/// - When the utterance ends, a last decoding with beam search continues from the final words to the end.
/// - One decoding runs at a time, and the next one takes all audio available by then: only utterances that
///   have ended queue up. They are decoded in order, and when several wait, only with their last decoding.
struct LivePolicy: Sendable {
    /// Partial decodings stop when silence has lasted this long: the endpoint is near.
    private static let pause = 0.3.samples
    /// The share of the time a slow machine may spend on partial decodings.
    private static let mostBusy = 0.7

    private(set) var options: LiveOptions
    private var finalizing: [Int] = []
    private(set) var gate: SpeechGate
    /// The first is decoded; the last is open while somebody speaks.
    private(set) var utterances: [Utterance] = []
    private(set) var decoding: LiveDecoding?
    /// The prompt: the tokens of the text before the audio of the first utterance.
    private(set) var context: [Int]
    /// The language of the session, once it is known.
    private(set) var language: String?
    /// Whether the audio has ended.
    private(set) var hasFinished = false

    private var guards: TextGuard?
    private var nextDecodingAt = 0
    private var nextDecoding = 0
    private var nextUtterance = 0
    /// The end of the last utterance's audio.
    private var lastEnd = 0
    /// The end of the last final word, in seconds.
    private var lastWordEnd = 0.0
    /// The end of the first utterance's audio that has been decoded.
    private var decodedUpTo = 0

    /// Creates a policy at the start of the audio.
    init(_ options: LiveOptions, context: [Int] = []) {
        self.options = options
        self.context = context
        language = options.language
        gate = SpeechGate(options)
        let prompts = [options.initialPrompt, options.hotwords].compactMap(\.self)
        guards = options.guards.map { TextGuard($0, prompts: prompts) }
    }

    /// The first sample that will still be needed.
    var neededFrom: Int { utterances.first?.start ?? max(lastEnd, gate.position - options.preRoll.samples) }

    /// The lag of the text behind the audio, in seconds; less than a step is normal.
    var lag: Double { utterances.first.map { max(0, gate.position - max(decodedUpTo, $0.start)).seconds } ?? 0 }

    /// Whether there is nothing left to decode and nothing more to come.
    var isDone: Bool { hasFinished && utterances.isEmpty }

    // MARK: Audio

    /// Takes the probability of speech in the next window of audio, and its energy (for shedding alone).
    mutating func hear(_ probability: Float, energy: Float = 0) -> [LiveAction] {
        var actions: [LiveAction] = []
        let start = gate.position
        let change = gate.hear(probability)
        if change == .begins {
            open(at: max(lastEnd, start - options.preRoll.samples), heardFrom: start)
            actions.append(.speech(isSpeaking: true, at: start))
        }
        follow(probability, energy)
        if case .ends(let end) = change {
            close(at: gate.position)
            actions.append(.speech(isSpeaking: false, at: end))
        }
        cutIfTooLong()
        shed(&actions)
        schedule(&actions)
        return actions
    }

    /// Ends the audio at its last sample.
    mutating func finish(at end: Int) -> [LiveAction] {
        var actions: [LiveAction] = []
        hasFinished = true
        if utterances.last?.end == nil, !utterances.isEmpty {
            close(at: end)
            actions.append(.speech(isSpeaking: false, at: end))
        }
        schedule(&actions)
        return actions
    }

    private mutating func open(at start: Int, heardFrom: Int) {
        utterances.append(Utterance(id: nextUtterance, start: start, heardFrom: heardFrom))
        nextUtterance += 1
        guard utterances.count == 1 else { return }
        nextDecodingAt = gate.position + options.step.samples
    }

    private mutating func close(at end: Int) {
        guard let last = utterances.indices.last else { return }
        utterances[last].end = end
        lastEnd = end
    }

    private mutating func follow(_ probability: Float, _ energy: Float) {
        guard let last = utterances.indices.last, utterances[last].end == nil else { return }
        utterances[last].follow(probability, energy: energy, isSpeech: gate.quiet == 0)
    }

    /// Cuts speech without pauses or final words where it is closest to silence.
    private mutating func cutIfTooLong() {
        guard let last = utterances.last, last.end == nil,
            gate.position - last.start > options.longestUtterance.samples
        else { return }
        let cut = last.quietestPoint(before: gate.position)
        let rest = last.probabilities.suffix((gate.position - cut) / VoiceActivity.windowLength)
        close(at: cut)
        open(at: cut, heardFrom: cut)
        for probability in rest {
            utterances[utterances.count - 1].follow(
                probability, energy: last.meanEnergy, isSpeech: probability >= Float(options.silenceThreshold))
        }
    }

    /// Skips the quietest waiting utterances, while too much waits and the caller allows it.
    private mutating func shed(_ actions: inout [LiveAction]) {
        guard let limit = options.sheddingLag else { return }
        while backlog > limit {
            let waiting = utterances.indices.filter {
                utterances[$0].end != nil && !utterances[$0].hasFinals && utterances[$0].id != decoding?.utterance
            }
            guard let quietest = waiting.min(by: { utterances[$0].meanEnergy < utterances[$1].meanEnergy }),
                let end = utterances[quietest].end
            else { return }
            actions.append(.skipped(utterances[quietest].start..<end, .overload))
            utterances.remove(at: quietest)
        }
    }

    /// The seconds of audio waiting to be decoded.
    private var backlog: Double {
        utterances.map { (($0.end ?? gate.position) - max($0.start, decodedUpTo)).seconds }.filter { $0 > 0 }
            .reduce(0, +)
    }

    // MARK: Requests

    mutating func finalize(through sample: Int) -> [LiveAction] {
        var actions: [LiveAction] = []
        cut(at: min(sample, gate.position))
        finalizing.append(sample)
        reportFinalized(&actions)
        schedule(&actions)
        return actions
    }

    mutating func clear() -> [LiveAction] {
        var actions: [LiveAction] = utterances.map { .endUtterance($0.id) }
        utterances = []
        context = []
        lastEnd = gate.position
        if gate.isOpen { open(at: gate.position, heardFrom: gate.position) }
        reportFinalized(&actions)
        return actions
    }

    mutating func change(_ speech: SpeechSettings) -> [LiveAction] {
        cut(at: gate.position)
        options.language = speech.language
        options.switchesLanguage = speech.switchesLanguage
        options.task = speech.task
        options.hotwords = speech.vocabulary
        language = speech.language
        var actions: [LiveAction] = []
        schedule(&actions)
        return actions
    }

    mutating func skip(to position: Int) -> [LiveAction] {
        var actions: [LiveAction] = []
        if let end = gate.skip(to: position) {
            close(at: end)
            actions.append(.speech(isSpeaking: false, at: end))
        }
        schedule(&actions)
        return actions
    }

    private mutating func cut(at sample: Int) {
        guard let last = utterances.last, last.end == nil, last.start < sample else { return }
        close(at: sample)
        open(at: sample, heardFrom: sample)
    }

    private mutating func reportFinalized(_ actions: inout [LiveAction]) {
        while let sample = finalizing.first, utterances.first.map({ $0.start >= sample }) ?? true {
            actions.append(.finalized(through: sample))
            finalizing.removeFirst()
        }
    }

    // MARK: Decoding

    /// Requests the next decoding, if it is due and none is running.
    private mutating func schedule(_ actions: inout [LiveAction]) {
        while decoding == nil, let first = utterances.first {
            guard let end = first.end else {
                if gate.position >= nextDecodingAt, gate.quiet < Self.pause {
                    actions.append(decode(first, upTo: gate.position, isLast: false))
                }
                return
            }
            guard first.speech >= options.shortestSpeech.samples || first.hasFinals else {
                removeFirst(&actions)
                continue
            }
            actions.append(decode(first, upTo: end, isLast: true))
        }
    }

    private mutating func decode(_ utterance: Utterance, upTo end: Int, isLast: Bool) -> LiveAction {
        let request = UtteranceRequest(
            context: context, committed: utterance.committedTokens, language: utterance.language ?? language,
            task: options.task, beamSize: isLast ? options.finalBeamSize : 1,
            temperatures: isLast ? options.finalTemperatures : [0], hotwords: options.hotwords)
        let new = LiveDecoding(
            id: nextDecoding, utterance: utterance.id, span: utterance.start..<max(end, utterance.start),
            isLast: isLast, request: request)
        nextDecoding += 1
        decoding = new
        return .decode(new)
    }

    /// Takes the result of the requested decoding; more audio has arrived in the meantime.
    mutating func update(with hypothesis: UtteranceHypothesis) -> [LiveAction] {
        var actions: [LiveAction] = []
        guard let done = decoding, utterances.first?.id == done.utterance else {
            decoding = nil
            schedule(&actions)
            return actions
        }
        decoding = nil
        decodedUpTo = done.span.upperBound
        let cost = max(0, gate.position - done.span.upperBound)
        let rest = Int(Double(cost) * (1 / Self.mostBusy - 1))
        nextDecodingAt = max(done.span.upperBound + options.step.samples, gate.position + rest)

        believe(hypothesis.language, wasAsked: done.request.language == nil, &actions)
        let words = ordered(hypothesis.words.map { LiveWord($0, origin: done.span.lowerBound) })
        if done.isLast {
            end(with: hypothesis.isSilence && !utterances[0].hasFinals ? [] : words, hypothesis, &actions)
        } else if !hypothesis.isImplausible {
            goOn(with: beforeLoop(words), done, hypothesis, &actions)
        }
        schedule(&actions)
        return actions
    }

    /// A detected language is accepted for the session (or the utterance) after enough speech.
    private mutating func believe(_ detection: LanguageDetection, wasAsked: Bool, _ actions: inout [LiveAction]) {
        guard wasAsked else { return }
        if let before = utterances[0].heardLanguage, before != detection.language { utterances[0].hypotheses = [] }
        utterances[0].heardLanguage = detection.language
        guard utterances[0].speech >= options.languageAfter.samples else { return }
        utterances[0].language = detection.language
        if !options.switchesLanguage { language = detection.language }
        actions.append(.language(detection))
    }

    /// Later words never start before earlier ones end, whatever the alignment says.
    private func ordered(_ words: [LiveWord]) -> [LiveWord] {
        var end = lastWordEnd
        return words.map { word in
            var word = word
            word.start = max(word.start, end)
            word.end = max(word.end, word.start)
            end = word.end
            return word
        }
    }

    /// A decoding while somebody speaks: commits what is safe, shows the rest.
    private mutating func goOn(
        with words: [LiveWord], _ done: LiveDecoding, _ hypothesis: UtteranceHypothesis, _ actions: inout [LiveAction]
    ) {
        let heard = min(done.span.upperBound, utterances[0].end ?? .max).seconds
        let before = utterances[0].hypotheses.last
        utterances[0].hypotheses.append(words)
        let agreed = safeCount(heard: heard)
        let known = before.map { words.agreement(with: $0) } ?? 0
        if agreed > 0 {
            commit(words[..<agreed], &actions)
            guards?.remember(words[..<agreed].map(\.word))
        }
        utterances[0].hypotheses = Array(utterances[0].hypotheses.suffix(max(options.agreement - 1, 1)))
        let audible = words.prefix { $0.end <= heard - options.showAfter }.count
        show(Array(words[agreed..<max(agreed, known, audible)]), &actions)
        trim()
    }

    /// The number of words of the newest decoding that are safe: agreed on, complete, and not the last.
    private func safeCount(heard: Double) -> Int {
        let utterance = utterances[0]
        let languageIsKnown = language != nil || utterance.language != nil
        guard options.task == .transcribe, languageIsKnown, let words = utterance.hypotheses.last,
            utterance.hypotheses.count >= options.agreement
        else { return 0 }
        let compared = utterance.hypotheses.suffix(options.agreement)
        var count = compared.dropLast().map { words.agreement(with: $0) }.min() ?? words[...].spokenEnd
        // A doubtful word may be delayed for a moment, but must not delay all words after it.
        let sure = words.prefix {
            $0.isPunctuation || $0.probability >= options.confidence || $0.end <= heard - options.patience
        }.count
        count = words[..<min(count, sure)].spokenEnd
        // The last word may still grow, in any of the decodings.
        let shortest = compared.map { $0[...].spokenCount }.min() ?? 0
        if words[..<count].spokenCount >= shortest { count = words[..<count].withoutLastSpoken }
        while count > 0, words[count - 1].end > heard - options.hold { count = words[..<count].withoutLastSpoken }
        return count
    }

    private mutating func commit(_ words: ArraySlice<LiveWord>, _ actions: inout [LiveAction]) {
        guard let last = words.last else { return }
        utterances[0].commit(words)
        lastWordEnd = max(lastWordEnd, last.end)
        actions.append(.commit(Array(words), utterance: utterances[0].id))
    }

    private mutating func show(_ words: [LiveWord], _ actions: inout [LiveAction]) {
        let tail = Array(words[..<words[...].spokenEnd])
        guard tail.map(\.text) != utterances[0].shown.map(\.text) || actions.hasCommit else { return }
        utterances[0].shown = tail
        actions.append(.show(tail, utterance: utterances[0].id))
    }

    /// The last decoding of an utterance: all of its text is final.
    private mutating func end(
        with words: [LiveWord], _ hypothesis: UtteranceHypothesis, _ actions: inout [LiveAction]
    ) {
        let kept = guarded(words, &actions)
        commit(kept[...], &actions)
        // Text sampled at a high temperature is not used as context.
        context = hypothesis.temperature > 0.5 ? [] : extended(by: utterances[0].committedTokens)
        removeFirst(&actions)
    }

    /// The words without hallucinations.
    private mutating func guarded(_ words: [LiveWord], _ actions: inout [LiveAction]) -> [LiveWord] {
        guard !words.isEmpty, let verdict = guards?.check([words.map(\.word)], speech: utterances[0].speechProfile)
        else { return words }
        actions += verdict.removed.map { .guarded($0.action) }
        let gone = Set(verdict.removed.flatMap(\.words))
        return words.indices.filter { !gone.contains($0) }.map { words[$0] }
    }

    /// The words before the text begins to loop.
    ///
    /// The rest is neither shown nor final while the utterance is open: the next decoding may not have the loop, and
    /// the last one is checked by the guards.
    private func beforeLoop(_ words: [LiveWord]) -> [LiveWord] {
        // A copy of the guard is used, since this text may change; without speech it only looks for loops.
        guard var guards, let loop = guards.check([words.map(\.word)], speech: nil).removed.first else { return words }
        return Array(words[..<loop.words.lowerBound])
    }

    private mutating func removeFirst(_ actions: inout [LiveAction]) {
        actions.append(.endUtterance(utterances[0].id))
        utterances.removeFirst()
        reportFinalized(&actions)
        // The open utterance has waited: it is decoded at once, if its step is over.
        if let first = utterances.first { nextDecodingAt = first.start + options.step.samples }
    }

    /// Trims the beginning of a long utterance at a final word, preferably at the end of a phrase.
    private mutating func trim() {
        let utterance = utterances[0]
        guard gate.position - utterance.start > options.trimAfter.samples else { return }
        let spoken = utterance.committed.indices.filter { !utterance.committed[$0].isPunctuation }
        // Two words stay as context for the next decoding.
        guard spoken.count > 4, let latest = spoken.dropLast(2).last else { return }
        let phrase = spoken.dropLast(2).last {
            $0 + 1 < utterance.committed.count && utterance.committed[$0 + 1].isPunctuation
        }
        let kept = spoken.first { $0 > phrase ?? latest } ?? utterance.committed.count
        let cut = ((utterance.committed[kept - 1].end + utterance.committed[kept].start) / 2).samples
        guard cut > utterance.start else { return }
        context = extended(by: utterance.committed[..<kept].flatMap(\.tokens))
        utterances[0].dropBeginning(upTo: cut, words: kept)
    }

    private func extended(by tokens: [Int]) -> [Int] { Array((context + tokens).suffix(options.contextTokens)) }
}

extension ArraySlice<LiveWord> {
    /// The count of the words up to the last one that is not punctuation.
    fileprivate var spokenEnd: Int { (lastIndex { !$0.isPunctuation }).map { $0 - startIndex + 1 } ?? 0 }
    fileprivate var spokenCount: Int { count { !$0.isPunctuation } }
    /// The count of the words up to the last but one that is not punctuation.
    fileprivate var withoutLastSpoken: Int { prefix(Swift.max(spokenEnd - 1, 0)).spokenEnd }
}

extension [LiveAction] {
    fileprivate var hasCommit: Bool {
        contains { if case .commit = $0 { true } else { false } }
    }
}
