import Steno
import StenoCore

/// Lets a recogniser that works in short tasks handle audio of any length.
///
/// ``RecognitionTaskPolicy`` decides; this actor acts.
package actor TaskedBackend: RecognitionBackend {
    private enum Wait {
        /// The policy has all audio before a position.
        case taken(Int)
        /// The text of the audio before a position is final.
        case settled(Int)
        case ended
    }

    private let tasks: any RecognitionTasks
    private var policy = RecognitionTaskPolicy()
    /// Audio that arrived faster than tasks end, in order.
    private var inbox: [HeardAudio] = []
    private var running: [Int: any RunningRecognition] = [:]
    private var phrases: AsyncThrowingStream<RecognitionReport, any Error>.Continuation?
    private var reports: AsyncStream<(Int, RecognitionTaskPolicy.Report)>.Continuation?
    /// What callers wait for, by the numbers of their waits.
    private var waits: [Int: Wait] = [:]
    private var nextWait = 0
    /// The waits whose condition has come.
    private let due = Monitor(Set<Int>())

    package init(_ tasks: any RecognitionTasks) { self.tasks = tasks }

    /// Returns the phrases; a task starts with the first speech.
    package func start() -> AsyncThrowingStream<RecognitionReport, any Error> {
        let (stream, phrases) = AsyncThrowingStream<RecognitionReport, any Error>.makeStream()
        let (incoming, reports) = AsyncStream<(Int, RecognitionTaskPolicy.Report)>.makeStream()
        (self.phrases, self.reports) = (phrases, reports)
        Task { [weak self] in for await (task, report) in incoming { await self?.take(report, from: task) } }
        return stream
    }

    /// Adds audio, and waits while too much is queued; a caller that is cancelled meanwhile has added it.
    package func append(_ audio: [HeardAudio]) async throws {
        guard phrases != nil, let last = audio.last else { return }
        inbox += audio
        advance()
        try await wait(.taken(last.end))
    }

    /// Makes tasks transcribe the audio before a position, and returns when their text has arrived.
    package func finalize(through position: Int, id: Int) async throws {
        try await wait(.taken(position))
        perform(policy.finalize(through: position))
        advance()
        try await wait(.settled(position))
        phrases?.yield(.finalized(id))
    }

    /// Cancels the current task and drops the audio so far.
    package func clear() {
        inbox = []
        perform(policy.clear())
        advance()
    }

    package func finish() async throws {
        try await wait(.taken(.max))
        perform(policy.finish())
        advance()
        try await wait(.ended)
    }

    package func cancel() { close(nil) }

    private func take(_ report: RecognitionTaskPolicy.Report, from task: Int) {
        perform(policy.take(report, from: task))
        advance()
    }

    /// Gives the policy the audio it has room for, and resumes the callers that no longer need to wait.
    private func advance() {
        var count = 0
        while count < inbox.count, policy.hasRoom, phrases != nil {
            let audio = inbox[count]
            count += 1
            perform(policy.append(audio.samples, at: audio.position, isSpeech: audio.isSpeech))
            if audio.endsRequest { perform(policy.finalize(through: audio.end)) }
        }
        inbox.removeFirst(min(count, inbox.count))
        wakeCallers()
    }

    private func wakeCallers() {
        let come = waits.filter { hasCome($0.value) }.keys
        guard !come.isEmpty else { return }
        due.update { $0.formUnion(come) }
    }

    /// Waits until a condition has come.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    private func wait(_ wait: Wait) async throws {
        guard !hasCome(wait) else { return }
        nextWait += 1
        let id = nextWait
        waits[id] = wait
        defer {
            waits[id] = nil
            due.update { _ = $0.remove(id) }
        }
        try await due.wait { due -> Void? in due.contains(id) ? () : nil }
    }

    private func hasCome(_ wait: Wait) -> Bool {
        if phrases == nil { return true }
        return switch wait {
        case .taken(let position): inbox.first.map { $0.position >= position } ?? true
        case .settled(let position): policy.isSettled(through: position)
        case .ended: false
        }
    }

    private func perform(_ actions: [RecognitionTaskPolicy.Action]) {
        guard phrases != nil else { return }
        for action in actions {
            switch action {
            case .start(let task): start(task)
            case .append(let task, let samples): running[task]?.append(samples)
            case .end(let task): running[task]?.end()
            case .cancel(let task): running.removeValue(forKey: task)?.cancel()
            case .phrase(let phrase): phrases?.yield(.phrase(phrase))
            case .finished: close(nil)
            case .fail(let message):
                close(
                    StenoError(
                        .engineUnavailable,
                        "The system's speech recognition failed \(RecognitionTaskPolicy.failureLimit) times in a row: "
                            + "\(message) Choose another engine, or try again later."))
            }
        }
        if !policy.hasTask { running = [:] }
    }

    private func start(_ task: Int) {
        // The last task has ended; later reports are ignored.
        running = [:]
        do {
            running[task] = try tasks.start { [reports] report in _ = reports?.yield((task, report)) }
        } catch {
            // As if the task had reported it, after the policy's pending actions.
            reports?.yield((task, .failed("\(error)")))
        }
    }

    private func close(_ error: (any Error)?) {
        for task in running.values { task.cancel() }
        (running, inbox) = ([:], [])
        phrases?.finish(throwing: error)
        reports?.finish()
        (phrases, reports) = (nil, nil)
        wakeCallers()
    }
}
