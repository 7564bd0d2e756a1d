import Steno
import StenoCore

@testable import StenoAppleSpeech

/// A policy with the audio given to it, in tenths of a second.
struct PolicyDriver {
    static let rate = 16_000

    var policy = RecognitionTaskPolicy()
    var position = 0
    private(set) var started: [Int] = []

    mutating func hear(_ seconds: Double, speech: Bool) -> [RecognitionTaskPolicy.Action] {
        var actions: [RecognitionTaskPolicy.Action] = []
        for _ in 0..<Int((seconds * 10).rounded()) {
            let samples = [Float](repeating: speech ? 0.5 : 0, count: Self.rate / 10)
            actions += policy.append(samples, at: position, isSpeech: speech)
            position += samples.count
        }
        return noted(actions)
    }

    /// Three seconds of speech with a guess at their text, a pause, and speech again.
    mutating func pause(after guess: String) {
        _ = hear(3, speech: true)
        _ = report(text(guess, isFinal: false))
        _ = hear(2, speech: false)
        _ = hear(1, speech: true)
    }

    mutating func report(_ report: RecognitionTaskPolicy.Report) -> [RecognitionTaskPolicy.Action] {
        noted(policy.take(report, from: started.last ?? 0))
    }

    /// Asks for the text of all audio, or of that before a position.
    mutating func finalize(through position: Int = .max) -> [RecognitionTaskPolicy.Action] {
        noted(policy.finalize(through: position))
    }

    mutating func finish() -> [RecognitionTaskPolicy.Action] { noted(policy.finish()) }

    private mutating func noted(_ actions: [RecognitionTaskPolicy.Action]) -> [RecognitionTaskPolicy.Action] {
        for case .start(let task) in actions { started.append(task) }
        return actions
    }
}

func phrases(_ actions: [RecognitionTaskPolicy.Action]) -> [RecognizedPhrase] {
    actions.compactMap { if case .phrase(let phrase) = $0 { phrase } else { nil } }
}

func texts(_ actions: [RecognitionTaskPolicy.Action]) -> [String] {
    phrases(actions).filter(\.isFinal).map(\.text)
}

/// A report of text without word times.
func text(_ text: String, isFinal: Bool) -> RecognitionTaskPolicy.Report {
    .text(text, words: [], isFinal: isFinal)
}

/// Tasks that a test answers: each hears audio and, at its end, reports what the script says.
final class ScriptedTasks: RecognitionTasks {
    private let script: [RecognitionTaskPolicy.Report]
    private let counts = Monitor<[Int]>([])

    /// - Parameter script: What each task reports at its end, in order; after that no task can be started.
    init(_ script: [RecognitionTaskPolicy.Report]) { self.script = script }

    /// The number of samples that each task was given, of those that could not be started too.
    var sampleCounts: [Int] { counts.current }

    func start(_ report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void) throws -> any RunningRecognition {
        let task = counts.update { counts in
            counts.append(0)
            return counts.count - 1
        }
        guard task < script.count else { throw StenoError(.engineUnavailable, "No task.") }
        if case .failed = script[task] { report(script[task]) }
        return Run(answer: script[task], report: report) { [counts] samples in counts.update { $0[task] += samples } }
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
