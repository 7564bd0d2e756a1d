import StenoVoiceActivity

/// Turns speech probabilities into utterances: spans of audio to decode, in order.
///
/// A gate opens with speech and closes after the endpoint's silence; the audio in between, with a pre-roll, is an
/// utterance. The first one is being decoded, the last one is open during speech; those between have ended and are
/// waiting. Utterances never overlap.
struct UtteranceQueue: Sendable {
    private(set) var gate: SpeechGate
    private(set) var utterances: [Utterance] = []
    /// The settings of the utterances that begin from now on.
    private(set) var settings: SpeechSettings

    /// The sample up to which a streaming model has heard the audio: no utterance ends or begins before it.
    private var heardTo: Int?

    /// The last utterance removed, if speech after a short silence may continue its sentence.
    private var previous: Utterance?

    private let options: LiveOptions
    private var nextID = 0
    /// The end of the last utterance's audio: the next one's pre-roll begins there at the earliest.
    private var lastEnd = 0

    init(_ options: LiveOptions) {
        self.options = options
        settings = options.settings
        gate = SpeechGate(options)
    }

    var first: Utterance? { utterances.first }
    /// The utterance that has not ended.
    var open: Utterance? { utterances.last.flatMap { $0.end == nil ? $0 : nil } }
    /// The id of the newest utterance; −1 if there was none yet.
    var newest: Int { nextID - 1 }
    /// The first sample that will still be needed.
    var neededFrom: Int {
        if let first { return first.start }
        if let previous, isContinuable(previous, at: gate.position) { return previous.start }
        return max(lastEnd, gate.position - options.preRoll.samples)
    }

    /// - Parameter lastWord: The end of the last final word: no cut comes before it.
    mutating func hear(_ probability: Float, energy: Float, lastWord: Int) -> SpeechGate.Change? {
        let start = gate.position
        let change = gate.hear(probability)
        if change == .begins { begin(at: max(lastEnd, start - options.preRoll.samples), heardFrom: start) }
        if open != nil {
            utterances[utterances.count - 1].hear(probability, energy: energy, isSpeech: gate.quiet == 0)
            if gate.quiet >= options.pause.samples {
                utterances[utterances.count - 1].pause(gate.quietFrom..<gate.position)
            }
        }
        // Half of the silence is left for the next utterance's pre-roll, in case speech resumes immediately.
        if case .ends(let end) = change { close(at: (end + gate.position) / 2) }
        cutIfTooLong(lastWord: lastWord)
        return change
    }

    /// Ends the open utterance; earlier audio outside of it is never decoded.
    mutating func close(at end: Int) {
        guard let open else { return }
        // It may have been cut in this silence, and a streaming model may have heard some of it.
        let end = max(end, open.start, heardTo ?? 0)
        utterances[utterances.count - 1].close(at: end)
        lastEnd = end
    }

    /// Ends the open utterance at a sample, but not before a final word, and continues in a new one.
    ///
    /// A streaming model may have heard a little more by then, which cannot be undone.
    ///
    /// - Parameter sample: Nothing is cut if the open utterance begins after it.
    /// - Returns: The sample at which it was cut, or would have been.
    @discardableResult mutating func cut(at sample: Int, lastWord: Int) -> Int {
        guard let open else { return max(sample, lastWord) }
        let heard = sample >= open.ownStart ? heardTo ?? 0 : 0
        let cut = min(max(sample, lastWord, heard), gate.position)
        guard cut > open.start || (cut == open.start && hasHeardAll(of: open)) else { return max(sample, lastWord) }
        var rest = utterances[utterances.count - 1].split(at: cut, id: nextID)
        if rest.settings != settings {
            rest = Utterance(id: nextID, settings: settings, start: cut, heardFrom: cut, skipped: gate.skipped)
        }
        nextID += 1
        lastEnd = cut
        utterances.append(rest)
        return cut
    }

    /// Uses other settings from now on; an open utterance ends here and keeps the old ones.
    mutating func change(_ settings: SpeechSettings) {
        self.settings = settings
        guard let open else { return }
        guard open.start >= gate.position, !hasHeardAll(of: open) else {
            cut(at: gate.position, lastWord: 0)
            return
        }
        utterances.removeLast()
        begin(at: gate.position, heardFrom: gate.position)
    }

    /// Drops all utterances; during speech, a new one begins here.
    mutating func clear() {
        let wasOpen = open != nil
        utterances = []
        previous = nil
        lastEnd = gate.position
        if wasOpen { begin(at: gate.position, heardFrom: gate.position) }
    }

    /// Removes the utterances that ended at a sample or before it, and returns them.
    mutating func forget(before sample: Int) -> [Utterance] {
        let forgotten = utterances.filter { ($0.end ?? .max) <= sample }
        utterances.removeAll { ($0.end ?? .max) <= sample }
        return forgotten
    }

    /// Continues after a gap in the audio; an open utterance ends before it.
    mutating func skip(to position: Int) {
        close(at: gate.position)
        previous = nil
        gate.skip(to: position)
        lastEnd = position
    }

    /// Removes the first utterance, whose text is final.
    mutating func removeFirst() { previous = utterances.removeFirst() }

    /// Adds the audio of the previous utterance to the first one if only a short silence separates them: the rest of a
    /// sentence is recognised best together with its beginning.
    ///
    /// - Returns: Whether the audio was added.
    mutating func joinFirst(allowed: Bool) -> Bool {
        defer { previous = nil }
        guard allowed, let previous, let first, first.id == previous.id + 1, previous.settings == first.settings,
            isContinuable(previous, at: first.heardFrom)
        else { return false }
        utterances[0].join(previous, preRoll: options.preRoll.samples)
        return true
    }

    private func isContinuable(_ utterance: Utterance, at position: Int) -> Bool {
        guard let end = utterance.end, !utterance.wasCut, utterance.skipped == gate.skipped else { return false }
        // It ends in the middle of the endpoint's silence.
        return position - end <= (options.continuation - options.endpoint / 2).samples
    }

    /// Drops the beginning of the first utterance, whose text is final.
    mutating func trimFirst(to cut: Int) { utterances[0].dropBeginning(upTo: cut) }

    /// Marks the audio before a sample as heard by a streaming model: later utterances begin there at the earliest.
    mutating func stream(to sample: Int) { heardTo = sample }

    /// Whether a streaming model has heard all audio of an utterance so far; it may still be holding back the last
    /// words.
    private func hasHeardAll(of utterance: Utterance) -> Bool {
        heardTo == utterance.start && utterance.start > utterance.ownStart
    }

    /// Removes the quietest waiting utterance, and returns its span.
    ///
    /// - Parameter keeping: The id of an utterance that has to stay.
    mutating func shedQuietest(keeping: Int?) -> (id: Int, span: Range<Int>)? {
        let waiting = utterances.indices.filter { utterances[$0].end != nil && utterances[$0].id != keeping }
        guard let quietest = waiting.min(by: { utterances[$0].meanEnergy < utterances[$1].meanEnergy }),
            let end = utterances[quietest].end
        else { return nil }
        let shed = utterances.remove(at: quietest)
        return (shed.id, shed.start..<end)
    }

    /// The number of samples waiting to be decoded.
    func backlog(decodedUpTo: Int) -> Int {
        utterances.reduce(0) { $0 + max(0, ($1.end ?? gate.position) - max($1.start, decodedUpTo)) }
    }

    private mutating func begin(at start: Int, heardFrom: Int) {
        utterances.append(
            Utterance(id: nextID, settings: settings, start: start, heardFrom: heardFrom, skipped: gate.skipped))
        nextID += 1
    }

    /// Cuts a long utterance without pauses or final words where it is closest to silence.
    private mutating func cutIfTooLong(lastWord: Int) {
        guard let open, gate.position - open.start > options.longestUtterance.samples else { return }
        cut(at: open.quietestPoint(before: gate.position), lastWord: lastWord)
    }
}
