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

    /// What the last task reports.
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

/// The phrases among what is to be done.
func phrases(_ actions: [RecognitionTaskPolicy.Action]) -> [RecognizedPhrase] {
    actions.compactMap { if case .phrase(let phrase) = $0 { phrase } else { nil } }
}

/// The final texts among what is to be done.
func texts(_ actions: [RecognitionTaskPolicy.Action]) -> [String] {
    phrases(actions).filter(\.isFinal).map(\.text)
}

/// A report of text without word times.
func text(_ text: String, isFinal: Bool) -> RecognitionTaskPolicy.Report {
    .text(text, words: [], isFinal: isFinal)
}
