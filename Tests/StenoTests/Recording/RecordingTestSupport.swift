import Foundation

@testable import Steno
@testable import StenoCore

/// A value that tests and the code under test share.
final class Shared<Value: Sendable>: @unchecked Sendable {
    // Sendable: the value is accessed under the lock.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&stored) }
    }
}

typealias Counter = Shared<Int>

extension Shared<Int> {
    convenience init() { self.init(0) }

    var count: Int { value }

    func add() { change { $0 += 1 } }
}

/// A microphone whose audio a test controls.
final class Microphone: AudioSource, Sendable {
    let name = "a microphone"
    private let output: Shared<ChunkQueue?> = Shared(nil)
    private let error: StenoError?
    private let onStart: @Sendable (Microphone) -> Void

    init(error: StenoError? = nil, onStart: @escaping @Sendable (Microphone) -> Void = { _ in }) {
        self.error = error
        self.onStart = onStart
    }

    static func saying(_ seconds: Range<Int>) -> Microphone {
        Microphone {
            $0.say(seconds)
            $0.close()
        }
    }

    func start() async throws -> AudioStream {
        if let error { throw error }
        let (stream, queue) = AudioStream.makeStream { [output] in output.value?.finish() }
        output.value = queue
        onStart(self)
        return stream
    }

    func say(_ seconds: Range<Int>) { for number in seconds { output.value?.add(second(number)) } }
    func unplug() { output.value?.finish(throwing: StenoError(.captureFailed, "The microphone is gone.")) }
    func close() { output.value?.finish() }
}

func collect(_ events: TranscriptionEvents) async -> [TranscriptionEvent] {
    await events.reduce(into: [TranscriptionEvent]()) { $0.append($1) }
}

/// A second of audio whose samples have the second's number.
func second(_ number: Int) -> AudioChunk {
    AudioChunk(position: number * 16_000, samples: [Float](repeating: Float(number) / 128, count: 16_000))
}

/// Events of a session in which somebody says words of half a second each.
struct SpokenWords {
    private(set) var id = 0
    var utterance = 0
    var time = 0.0

    mutating func final(_ text: String) -> TranscriptionEvent {
        var words: [Word] = []
        for word in text.split(separator: " ") {
            words.append(Word(rawText: " " + word, start: time, end: time + 0.5, probability: 1))
            time += 0.5
        }
        defer { id += 1 }
        let segment = LiveSegment(
            id: id, start: words.first?.start ?? time, end: time, text: words.map(\.rawText).joined(),
            isFinal: true, words: words, utterance: utterance)
        return .init(.final(text: segment.text, segments: [segment]), position: time)
    }

    /// The end of the utterance, after which a second of silence follows, with punctuation after its last word.
    mutating func end(_ mark: String = "") -> TranscriptionEvent {
        defer { utterance += 1 }
        time += 1
        return .init(.utteranceEnd(utterance, mark: mark), position: time)
    }

    /// The first audio was heard.
    static let audio = TranscriptionEvent(.level(AudioLevel(rms: -60, peak: -60)), position: 0.1)
}
