import Foundation
import Steno

@testable import StenoAppleSpeech

/// Tasks that a test answers: each hears audio and, at its end, reports what the script says.
final class ScriptedTasks: RecognitionTasks, @unchecked Sendable {
    // Sendable: the state is accessed under the lock.
    private let lock = NSLock()
    private var script: [RecognitionTaskPolicy.Report]
    private(set) var starts = 0

    /// - Parameter script: What each task reports at its end, in order; after that no task can be started.
    init(_ script: [RecognitionTaskPolicy.Report]) { self.script = script }

    var startCount: Int { lock.withLock { starts } }

    func start(_ report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void) throws -> any RunningRecognition {
        let answer: RecognitionTaskPolicy.Report? = lock.withLock {
            starts += 1
            return script.isEmpty ? nil : script.removeFirst()
        }
        guard let answer else { throw StenoError(.engineUnavailable, "No task.") }
        if case .failed = answer { report(answer) }
        return Run(answer: answer, report: report)
    }

    private struct Run: RunningRecognition {
        let answer: RecognitionTaskPolicy.Report
        let report: @Sendable (RecognitionTaskPolicy.Report) -> Void

        func append(_ samples: [Float]) {
            if case .text(let text, _, _) = answer { report(.text(String(text.prefix(3)), words: [], isFinal: false)) }
        }

        func end() { report(answer) }

        func cancel() {}
    }
}
