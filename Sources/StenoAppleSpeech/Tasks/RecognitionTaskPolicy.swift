package import StenoCore

/// When a recogniser that works in short tasks gets a new one: `SFSpeechRecognizer` ends a task after about a minute.
///
/// | state | event | action | next state |
/// |---|---|---|---|
/// | waiting | audio without speech | half a second of it is kept | waiting |
/// | waiting | speech, at least a second of audio after the last start | start a task with the audio kept | listening |
/// | listening | audio | append it | listening |
/// | listening | 40 s and a pause, or 55 s | end the task's audio | ending |
/// | ending | audio | it is kept for the next task | ending |
/// | ending | 30 s of audio without the end of the task | cancel it, as if it had failed | waiting or failed |
/// | listening, ending | final result | its text is final | waiting |
/// | listening, ending | the task heard no speech | what it has guessed is final | waiting |
/// | listening, ending | the task failed | what it has guessed is final; the third failure in a row without text ends the session | waiting or failed |
/// | any | finish | end the task's audio; finished once the task has ended | finishing, finished |
///
/// Some systems begin a task's text anew after a pause, without a final result. The text before is
/// made final then, and is not repeated should the final result have it.
///
/// A task therefore starts only with audio, at most once in a second of it, and a recogniser that fails is tried three
/// times and no more: there is no loop of restarts. Positions in the audio, no clock; a pure value.
package struct RecognitionTaskPolicy: Sendable {
    /// What the caller has to do, in order.
    package enum Action: Sendable, Hashable {
        /// Start the task of this number.
        case start(Int)
        /// Give it audio.
        case append(Int, [Float])
        /// End its audio: its final result follows.
        case end(Int)
        /// End it at once: nothing it reports counts any more.
        case cancel(Int)
        /// Report text.
        case phrase(RecognizedPhrase)
        /// All text was reported.
        case finished
        /// The session ends with an error that says this.
        case fail(String)
    }

    /// What a task reports.
    package enum Report: Sendable, Hashable {
        /// The text so far; the times of its words count from the start of the task.
        case text(String, words: [Word], isFinal: Bool)
        /// It ended without having heard speech.
        case noSpeech
        /// It ended with an error.
        case failed(String)
    }

    private enum State: Sendable {
        case waiting, listening, ending, finished, failed
    }

    /// Limits, in samples at 16 kHz.
    private static let rate = 16_000
    private static let preroll = rate / 2
    private static let startInterval = rate
    private static let softLimit = 40 * rate
    private static let hardLimit = 55 * rate
    private static let keptLimit = 30 * rate
    /// Failures in a row without any text after which the session ends.
    package static let failureLimit = 3

    private var state = State.waiting
    private var task = 0
    /// The position of the first sample of the task.
    private var start = 0
    /// The position after all audio.
    private var end = 0
    private var lastStart: Int?
    private var failures = 0
    /// Audio that no task has been given.
    private var kept: [Float] = []
    private var keptHasSpeech = false
    /// What a task has guessed, after ``confirmed``.
    private var guess = ""
    /// The text of the task that was made final before its end, and the position where the text after it begins.
    private var confirmed = ""
    private var textStart = 0
    /// The position of the last pause since the last guess.
    private var pause: Int?
    private var isFinishing = false

    /// Begins without a task.
    package init() {}

    /// Whether the session has ended.
    package var hasEnded: Bool { state == .finished || state == .failed }

    /// Whether a task has not ended.
    package var hasTask: Bool { state == .listening || state == .ending }

    /// Takes audio at a position; a gap before it counts as silence.
    ///
    /// - Parameter isSpeech: Whether somebody is speaking in it.
    package mutating func append(_ samples: [Float], at position: Int, isSpeech: Bool) -> [Action] {
        guard !hasEnded, !isFinishing else { return [] }
        var actions: [Action] = []
        if position > end {
            actions += gap(position - end)
        }
        end = position + samples.count
        switch state {
        case .waiting:
            keep(samples, isSpeech)
            if keptHasSpeech {
                if mayStart { actions += startTask() }
            } else {
                kept.removeFirst(max(0, kept.count - Self.preroll))
            }
        case .listening:
            actions.append(.append(task, samples))
            if !isSpeech, !guess.isEmpty { pause = pause ?? position }
            let length = end - start
            if length >= Self.hardLimit || length >= Self.softLimit && !isSpeech { actions += endTask() }
        case .ending:
            keep(samples, isSpeech)
            if kept.count > Self.keptLimit { actions += [.cancel(task)] + fail("It does not end its task.") }
        case .finished, .failed: break
        }
        return actions
    }

    /// Ends the task, if there is one, so that its text becomes final; the next audio starts another.
    package mutating func finalize() -> [Action] { state == .listening ? endTask() : [] }

    /// Ends the audio.
    package mutating func finish() -> [Action] {
        guard !hasEnded, !isFinishing else { return [] }
        isFinishing = true
        switch state {
        case .listening: return endTask()
        case .ending: return []
        default: return settle()
        }
    }

    /// Takes what a task reports; a task that was replaced or cancelled is ignored.
    package mutating func take(_ report: Report, from task: Int) -> [Action] {
        guard task == self.task, state == .listening || state == .ending else { return [] }
        switch report {
        case .text(let text, let words, let isFinal):
            if !text.isEmpty { failures = 0 }
            let actions = keepTextThatBeganAnew(text)
            let rest = String(text.hasPrefix(confirmed) ? text.dropFirst(confirmed.count) : text[...])
            let newWords = words.filter { $0.start >= Double(textStart - start) / Double(Self.rate) }
            guess = isFinal ? "" : rest
            return actions + [phrase(rest, newWords, isFinal: isFinal)] + (isFinal ? settle() : [])
        case .noSpeech: return keepGuess() + settle()
        case .failed(let message): return fail(message)
        }
    }

    // MARK: Transitions

    private mutating func startTask() -> [Action] {
        defer { (kept, keptHasSpeech) = ([], false) }
        task += 1
        state = .listening
        start = end - kept.count
        lastStart = end
        (guess, confirmed, textStart, pause) = ("", "", start, nil)
        return [.start(task), .append(task, kept)]
    }

    private mutating func endTask() -> [Action] {
        state = .ending
        return [.end(task)]
    }

    /// The task has ended: the next one starts with speech, which may have come while this one ended.
    private mutating func settle() -> [Action] {
        state = .waiting
        if keptHasSpeech, mayStart {
            let actions = startTask()
            return isFinishing ? actions + endTask() : actions
        }
        guard isFinishing else { return [] }
        state = .finished
        return [.finished]
    }

    /// Tasks start at most once in a second of audio; at its end nothing is to come.
    private var mayStart: Bool { isFinishing || lastStart.map { end - $0 >= Self.startInterval } ?? true }

    private mutating func keep(_ samples: [Float], _ isSpeech: Bool) {
        kept += samples
        keptHasSpeech = keptHasSpeech || isSpeech
    }

    private mutating func fail(_ message: String) -> [Action] {
        let actions = keepGuess()
        failures += actions.isEmpty ? 1 : 0
        guard failures < Self.failureLimit else {
            state = .failed
            return actions + [.fail(message)]
        }
        return actions + settle()
    }

    /// What was shown stays, although the task will not confirm it.
    private mutating func keepGuess(through position: Int? = nil) -> [Action] {
        guard !guess.isEmpty else { return [] }
        defer { guess = "" }
        return [phrase(guess, [], isFinal: true, through: position)]
    }

    /// Makes the guess final if, after a pause, the text of the task has become another and much shorter one.
    private mutating func keepTextThatBeganAnew(_ text: String) -> [Action] {
        defer { pause = nil }
        guard let pause, text.count * 2 < guess.count, !text.isEmpty else { return [] }
        let firstWord = text.prefix { !$0.isWhitespace }.lowercased()
        guard !guess.lowercased().trimmingPrefix(" ").hasPrefix(firstWord) else { return [] }
        let kept = guess
        let actions = keepGuess(through: pause)
        confirmed += kept
        textStart = pause
        return actions
    }

    private func phrase(_ text: String, _ words: [Word], isFinal: Bool, through position: Int? = nil) -> Action {
        let offset = Double(start) / Double(Self.rate)
        // Before the end of a task its words have no times.
        let timed = isFinal ? words : []
        let moved = timed.map {
            Word(word: $0.word, start: $0.start + offset, end: $0.end + offset, probability: $0.probability)
        }
        let first = Double(textStart) / Double(Self.rate)
        let last = Double(position ?? end - kept.count) / Double(Self.rate)
        return .phrase(
            RecognizedPhrase(
                text, start: moved.first?.start ?? first, end: max(moved.last?.end ?? last, moved.isEmpty ? last : 0),
                words: moved, isFinal: isFinal))
    }

    /// Silence for a task that is listening; a long gap ends it instead.
    private mutating func gap(_ length: Int) -> [Action] {
        switch state {
        case .listening where length <= Self.rate:
            return [.append(task, [Float](repeating: 0, count: length))]
        case .listening: return endTask()
        case .ending:
            kept += [Float](repeating: 0, count: min(length, Self.keptLimit))
            return []
        case .waiting:
            if !keptHasSpeech { kept = [] } else { kept += [Float](repeating: 0, count: min(length, Self.keptLimit)) }
            return []
        default: return []
        }
    }
}
