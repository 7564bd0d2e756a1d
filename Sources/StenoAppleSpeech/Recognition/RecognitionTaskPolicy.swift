import Steno
package import StenoCore

/// When a recogniser that works in short tasks gets a new one: `SFSpeechRecognizer` ends a task after about a minute.
///
/// | state | event | action | next state |
/// |---|---|---|---|
/// | waiting | audio without speech | keep half a second of it | waiting |
/// | waiting | speech, at least a second of audio after the last start | start a task with the audio kept | listening |
/// | listening | audio | append it | listening |
/// | listening | 40 s and a pause, or 55 s, or a gap of more than a second | end the task's audio | ending |
/// | ending | audio | keep it for the next task; refuse more after 20 s | ending |
/// | listening, ending | final result | make its text final | waiting |
/// | listening, ending | the task heard no speech | make its guess final | waiting |
/// | listening, ending | the task failed | make its guess final; without text, keep its audio for one more task; the third failure in a row without text ends the session | waiting or failed |
/// | listening, waiting with speech | finalize | give a task the audio up to there, then end its audio | ending |
/// | ending | finalize | leave it to the next task | ending |
/// | any | clear | cancel the task, drop the kept audio | waiting |
/// | any | finish | end the task's audio; finished once the task has ended and no speech is kept | finishing, finished |
///
/// A task therefore starts only with audio, at most once per second of it unless its text is requested, and a
/// recogniser that fails is tried at most three times, so there is no restart loop. It is a pure value that uses
/// positions in the audio, not a clock.
package struct RecognitionTaskPolicy: Sendable {
    package enum Action: Sendable, Hashable {
        case start(Int)
        case append(Int, [Float])
        /// End its audio: its final result follows.
        case end(Int)
        /// End it at once: later reports are ignored.
        case cancel(Int)
        case phrase(RecognizedPhrase)
        /// All text has been reported.
        case finished
        /// The session ends with an error with this message.
        case fail(String)
    }

    package enum Report: Sendable, Hashable {
        /// The text so far; the times of its words count from the start of the task.
        case text(String, words: [Word], isFinal: Bool)
        /// It ended without having heard speech.
        case noSpeech
        case failed(String)

        /// Splits a report with both text and an error: the error counts unless the text is final.
        package static func all(_ text: Report?, _ error: Report?) -> [Report] {
            if case .text(_, _, isFinal: true) = text { return [text].compactMap { $0 } }
            return [text, error].compactMap { $0 }
        }
    }

    private enum State: Sendable { case waiting, listening, ending, finished, failed }

    /// Limits, in samples.
    private static let preroll = 0.5.samples
    private static let startInterval = 1.0.samples
    private static let softLimit = 40.0.samples
    private static let hardLimit = 55.0.samples
    private static let room = 20.0.samples
    /// The number of failures in a row without any text after which the session ends.
    package static let failureLimit = 3

    private var state = State.waiting
    private var task = 0
    /// The position after all audio.
    private var end = 0
    private var lastStart: Int?
    /// The number of samples that arrived while the task was ending.
    private var waited = 0
    private var failures = 0
    /// Audio that no task has received.
    private var kept = KeptAudio()
    /// The audio of the task until it reports text: another task gets it if this one fails.
    private var unanswered: KeptAudio.Stretch?
    /// Whether the task has the audio of one that failed: there is no third attempt.
    private var isRetry = false
    /// Where the speech of the task begins.
    private var speechStart = 0
    private var text = TaskText(KeptAudio.Stretch(start: 0))
    /// The position up to which text was requested.
    private var due = 0
    private var isFinishing = false

    package init() {}

    package var hasEnded: Bool { state == .finished || state == .failed }

    package var hasTask: Bool { state == .listening || state == .ending }

    /// Whether more audio can be accepted before the task has ended: audio may arrive faster than real time.
    package var hasRoom: Bool { state != .ending || waited < Self.room }

    /// Whether the text of the audio before a position will not change.
    package func isSettled(through position: Int) -> Bool {
        hasEnded || !(hasTask && speechStart < position) && !kept.hasSpeech(before: position)
    }

    /// Adds audio at a position; a gap before it counts as silence.
    package mutating func append(_ samples: [Float], at position: Int, isSpeech: Bool) -> [Action] {
        guard !hasEnded, !isFinishing else { return [] }
        let gap = max(0, position - end)
        end = position + samples.count
        switch state {
        case .listening where gap <= KeptAudio.longestGap: return hear(samples, after: gap, isSpeech)
        case .listening:
            kept.append(samples, at: position, isSpeech: isSpeech)
            return endTask()
        case .ending:
            kept.append(samples, at: position, isSpeech: isSpeech)
            waited += samples.count
            return []
        default:
            kept.append(samples, at: position, isSpeech: isSpeech)
            if kept.hasSpeech() { return mayStart ? startTask() : [] }
            kept.trim(to: Self.preroll)
            return []
        }
    }

    /// Requests that the text of the audio before a position become final: see ``isSettled(through:)``.
    package mutating func finalize(through position: Int = .max) -> [Action] {
        due = max(due, min(position, end))
        switch state {
        case .listening where speechStart < due: return endTask()
        case .waiting where kept.hasSpeech(before: due): return startTask()
        default: return []
        }
    }

    /// Discards the audio so far.
    package mutating func clear() -> [Action] {
        kept.removeAll()
        (unanswered, isRetry) = (nil, false)
        return hasTask ? [.cancel(task)] + settle() : []
    }

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

    /// Handles a task's report; reports of replaced and cancelled tasks are ignored.
    package mutating func take(_ report: Report, from task: Int) -> [Action] {
        guard task == self.task, hasTask else { return [] }
        switch report {
        case .text(let text, let words, let isFinal):
            if !text.isEmpty { failures = 0 }
            if isFinal || !text.isEmpty { (unanswered, isRetry) = (nil, false) }
            let phrases = self.text.take(text, words: words, isFinal: isFinal)
            return phrases.map(Action.phrase) + (isFinal ? settle() : [])
        case .noSpeech:
            (unanswered, isRetry) = (nil, false)
            return keepGuess() + settle()
        case .failed(let message): return fail(message)
        }
    }

    // MARK: Transitions

    /// Gives audio to the listening task.
    private mutating func hear(_ samples: [Float], after gap: Int, _ isSpeech: Bool) -> [Action] {
        var actions: [Action] = []
        if gap > 0 {
            let silence = [Float](repeating: 0, count: gap)
            actions.append(.append(task, silence))
            unanswered?.append(silence, isSpeech: false)
            text.hear(gap, isSpeech: false)
        }
        actions.append(.append(task, samples))
        unanswered?.append(samples, isSpeech: isSpeech)
        text.hear(samples.count, isSpeech: isSpeech)
        let length = end - text.start
        if length >= Self.hardLimit || length >= Self.softLimit && !isSpeech { actions += endTask() }
        return actions
    }

    /// Starts a task with kept speech; its audio ends at once if more is kept, or if its text is requested.
    private mutating func startTask() -> [Action] {
        let cut = kept.hasSpeech(before: due) ? due : .max
        guard let audio = kept.take(before: cut, limit: Self.softLimit) else { return [] }
        task += 1
        state = .listening
        lastStart = end
        text = TaskText(audio)
        speechStart = audio.speech?.lowerBound ?? audio.start
        unanswered = audio
        let actions = [Action.start(task), .append(task, audio.samples)]
        let isWhole = kept.isEmpty && audio.end == end && !isFinishing && speechStart >= due
        return isWhole ? actions : actions + endTask()
    }

    private mutating func endTask() -> [Action] {
        state = .ending
        waited = 0
        return [.end(task)]
    }

    /// Handles the end of a task: the next one starts with speech, which may have arrived while this one was ending.
    private mutating func settle() -> [Action] {
        state = .waiting
        if kept.hasSpeech(), mayStart { return startTask() }
        guard isFinishing else { return [] }
        state = .finished
        return [.finished]
    }

    /// Tasks start at most once per second of audio, unless a caller is waiting for the text.
    private var mayStart: Bool {
        isFinishing || kept.hasSpeech(before: due) || lastStart.map { end - $0 >= Self.startInterval } ?? true
    }

    private mutating func fail(_ message: String) -> [Action] {
        let actions = keepGuess()
        failures += actions.isEmpty ? 1 : 0
        guard failures < Self.failureLimit else {
            state = .failed
            return actions + [.fail(message)]
        }
        let again = actions.isEmpty && !isRetry ? unanswered : nil
        if let again { kept.putBack(again) }
        unanswered = nil
        isRetry = again != nil
        return actions + settle()
    }

    /// Makes displayed text final, although the task will not confirm it.
    private mutating func keepGuess() -> [Action] { text.keepGuess().map(Action.phrase) }
}

package protocol RecognitionTasks: Sendable {
    /// - Parameter report: Called with the task's reports, in order, on any thread.
    /// - Throws: The reason why there is no task; it counts as a failed task.
    func start(_ report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void) throws -> any RunningRecognition
}

package protocol RunningRecognition: Sendable {
    /// Adds audio: 16 kHz, mono.
    func append(_ samples: [Float])
    /// Ends the audio; then a final text or an error is always reported, after a timeout if necessary.
    func end()
    /// Ends at once.
    func cancel()
}
