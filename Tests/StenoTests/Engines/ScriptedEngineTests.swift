import Testing

@testable import Steno

struct ScriptedEngineTests {
    @Test func eventsComeWithTheAudio() async throws {
        let word = TranscriptSegment(id: 0, start: 0, end: 1, text: " Hello", isFinal: true)
        let engine = ScriptedEngine([.final(text: " Hello", segments: [word], position: 1)])
        let events = engine.events
        try await engine.start()
        try await engine.append([Float](repeating: 0, count: 16_000))
        try await engine.finish()
        var accumulator = TranscriptAccumulator()
        for await event in events { accumulator.apply(event) }
        #expect(accumulator.displayText == "Hello" && accumulator.state == .finished)
    }
}
