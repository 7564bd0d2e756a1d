package import Steno
import StenoCore

/// A recogniser that works in short tasks, as one that hears audio of any length.
///
/// ``RecognitionTaskPolicy`` decides; this actor does it.
package actor TaskedBackend: RecognitionBackend {
    private let tasks: any RecognitionTasks
    private var policy = RecognitionTaskPolicy()
    private var speech = SpeechLevel()
    private var running: [Int: any RunningRecognition] = [:]
    private var phrases: AsyncThrowingStream<RecognitionReport, any Error>.Continuation?
    private var reports: AsyncStream<(Int, RecognitionTaskPolicy.Report)>.Continuation?
    /// Callers that wait until no task runs.
    private var settling: [CheckedContinuation<Void, Never>] = []

    /// Creates a backend that has not been started.
    package init(_ tasks: any RecognitionTasks) { self.tasks = tasks }

    /// Returns the phrases; a task starts with the first speech.
    package func start() -> AsyncThrowingStream<RecognitionReport, any Error> {
        let (stream, phrases) = AsyncThrowingStream<RecognitionReport, any Error>.makeStream()
        let (incoming, reports) = AsyncStream<(Int, RecognitionTaskPolicy.Report)>.makeStream()
        (self.phrases, self.reports) = (phrases, reports)
        Task { [weak self] in
            for await (task, report) in incoming { await self?.take(report, from: task) }
        }
        return stream
    }

    /// Takes audio.
    package func append(_ chunk: AudioChunk) {
        _ = speech.append(chunk.samples)
        perform(policy.append(chunk.samples, at: chunk.position, isSpeech: speech.isSpeaking))
    }

    /// Ends the present task and returns when its text has come.
    package func finalize(through seconds: Double, id: Int) async {
        perform(policy.finalize())
        await settle()
        phrases?.yield(.finalized(id))
    }

    /// Ends the audio and returns when all text has come.
    package func finish() async {
        perform(policy.finish())
        await settle()
    }

    /// Ends at once.
    package func cancel() { close(nil) }

    private func take(_ report: RecognitionTaskPolicy.Report, from task: Int) {
        perform(policy.take(report, from: task))
    }

    private func settle() async {
        guard policy.hasTask, phrases != nil else { return }
        await withCheckedContinuation { settling.append($0) }
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
        if !policy.hasTask {
            running = [:]
            resumeSettling()
        }
    }

    private func start(_ task: Int) {
        // The last task has ended; what it still reports is ignored.
        running = [:]
        do {
            running[task] = try tasks.start { [reports] report in _ = reports?.yield((task, report)) }
        } catch {
            // As if the task had reported it, after what the policy still asks for.
            reports?.yield((task, .failed("\(error)")))
        }
    }

    private func close(_ error: (any Error)?) {
        for task in running.values { task.cancel() }
        running = [:]
        phrases?.finish(throwing: error)
        reports?.finish()
        (phrases, reports) = (nil, nil)
        resumeSettling()
    }

    private func resumeSettling() {
        for waiter in settling { waiter.resume() }
        settling = []
    }
}
