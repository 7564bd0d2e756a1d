import Foundation
import Steno

@testable import StenoAppleSpeech

/// Tasks that a test answers: each hears audio and, at its end, reports what the script says.
final class ScriptedTasks: RecognitionTasks, @unchecked Sendable {
    // Sendable: the state is accessed under the lock.
    private let lock = NSLock()
    private var script: [RecognitionTaskPolicy.Report]
    private var lengths: [Int] = []

    /// - Parameter script: What each task reports at its end, in order; after that no task can be started.
    init(_ script: [RecognitionTaskPolicy.Report]) { self.script = script }

    var startCount: Int { lock.withLock { lengths.count } }

    /// The samples that all tasks were given.
    var sampleCount: Int { lock.withLock { lengths.reduce(0, +) } }

    /// The samples of the task that was given most.
    var longest: Int { lock.withLock { lengths.max() ?? 0 } }

    private func count(_ samples: Int, of task: Int) { lock.withLock { lengths[task] += samples } }

    func start(_ report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void) throws -> any RunningRecognition {
        let (answer, task): (RecognitionTaskPolicy.Report?, Int) = lock.withLock {
            lengths.append(0)
            return (script.isEmpty ? nil : script.removeFirst(), lengths.count - 1)
        }
        guard let answer else { throw StenoError(.engineUnavailable, "No task.") }
        if case .failed = answer { report(answer) }
        return Run(answer: answer, report: report) { [weak self] in self?.count($0, of: task) }
    }

    private struct Run: RunningRecognition {
        let answer: RecognitionTaskPolicy.Report
        let report: @Sendable (RecognitionTaskPolicy.Report) -> Void
        let count: @Sendable (Int) -> Void

        func append(_ samples: [Float]) {
            count(samples.count)
            if case .text(let text, _, _) = answer { report(.text(String(text.prefix(3)), words: [], isFinal: false)) }
        }

        func end() { report(answer) }

        func cancel() {}
    }
}
