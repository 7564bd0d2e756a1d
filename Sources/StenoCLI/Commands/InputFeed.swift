import Foundation
import Steno
import StenoCommandLine

/// The recordings named on the command line as a model takes them, and those that are not delivered yet.
final class InputFeed: RecordingFeed, Sendable {
    struct Begun: Sendable {
        let input: String
        let estimate: ProgressEstimate
        let draft = Monitor(TranscriptDraft())

        init(_ input: String) {
            self.input = input
            estimate = ProgressEstimate(name: Inputs.displayName(input), start: Date())
        }
    }

    private struct State: Sendable {
        var begun: [Begun] = []
        var isStopped = false
        /// The results that wait for those of earlier inputs.
        var waiting: [Int: Result<Transcript, any Error>] = [:]
        var nextToDeliver = 0
    }

    private let inputs: [String]
    private let options: TranscriptionOptions
    private let reading: InputReading
    private let state = Monitor(State())

    init(_ inputs: [String], _ options: TranscriptionOptions, _ reading: InputReading) {
        self.inputs = inputs
        self.options = options
        self.reading = reading
    }

    func next(waits: Bool) -> FedRecording? {
        state.update { [inputs, options, reading] state in
            let number = state.begun.count
            guard !state.isStopped, number < inputs.count else { return nil }
            state.begun.append(Begun(inputs[number]))
            return FedRecording(number: number, options: options) { try Inputs.open(inputs[number], reading) }
        }
    }

    func stop() { state.update { $0.isStopped = true } }

    func open(_ number: Int, channel: Int) throws -> AudioFile {
        try Inputs.open(inputs[number], reading, channel: channel)
    }

    func begun(_ number: Int) -> Begun { state.read { $0.begun[number] } }

    var begun: [Begun] { state.read(\.begun) }

    /// Adds a result, and returns those that can be delivered in the order of the inputs.
    func ordered(_ number: Int, _ result: Result<Transcript, any Error>) -> [(Begun, Result<Transcript, any Error>)] {
        state.update { state in
            state.waiting[number] = result
            var found: [(Begun, Result<Transcript, any Error>)] = []
            while let result = state.waiting.removeValue(forKey: state.nextToDeliver) {
                found.append((state.begun[state.nextToDeliver], result))
                state.nextToDeliver += 1
            }
            return found
        }
    }

    /// Removes the results that still wait for those of earlier inputs.
    func takeWaiting() -> [(Begun, Result<Transcript, any Error>)] {
        state.update { state in
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map { (state.begun[$0.key], $0.value) }
        }
    }
}

/// The decoded part of a recording, kept if the work is interrupted.
struct TranscriptDraft: Sendable {
    private var language: LanguageDetection?
    private var segments: [Segment] = []
    private var position = 0.0
    private var isTaken = false

    mutating func add(_ event: TranscriptionProgressEvent) {
        switch event {
        case .language(let detection): language = detection
        case .segment(let segment): segments.append(segment)
        case .progress(let processed, _): position = max(position, processed)
        }
    }

    /// Whether this is the first call: only the first caller saves the decoded text.
    mutating func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Forgets the text, which was delivered and must not be delivered again as a partial one.
    mutating func drop() {
        segments = []
        isTaken = true
    }

    /// The beginning of the transcript, whose duration is the decoded audio's; nil if there is no text yet.
    var transcript: Transcript? {
        guard let end = segments.map(\.end).max() else { return nil }
        return Transcript(
            language: language?.language ?? "", languageProbability: language?.probability ?? 1,
            duration: max(position, end), segments: segments.sorted { $0.start < $1.start })
    }
}
