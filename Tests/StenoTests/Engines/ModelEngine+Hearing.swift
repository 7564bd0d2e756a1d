@testable import Steno
@testable import StenoCore

extension ModelEngine {
    /// All events of a recording that is appended in chunks, as fast as they are accepted.
    func events(hearing samples: [Float], chunk: () -> Int = { 1600 }) async throws -> [TranscriptionEvent] {
        let events = events(buffering: .unbounded)
        let reader = Task { await events.reduce(into: []) { $0.append($1) } }
        try await start()
        var position = 0
        while position < samples.count {
            let end = min(samples.count, position + chunk())
            try await append(Array(samples[position..<end]))
            position = end
        }
        try await finish()
        return await reader.value
    }
}

extension [TranscriptionEvent] {
    /// The transcript that a reader of all events has in the end.
    var transcript: LiveTranscript { reduce(into: LiveTranscript()) { $0.apply($1) } }
}
