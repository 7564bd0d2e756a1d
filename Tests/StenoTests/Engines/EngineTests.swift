import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

/// The public API of the engine, on the nano model.
@Suite(.enabled(if: engineTestsRun, "seconds in a release build, minutes in a debug build"))
struct ModelEngineTests {
    let model: WhisperModel

    init() throws { model = try WhisperModel.load(folder: Fixtures.nano, threads: 2) }

    private func speech() throws -> [Float] { try AudioFile.open(Fixtures.file("sounds/norway.wav")).allSamples() }

    private func run(_ engine: ModelEngine, _ samples: [Float], chunk: Int) async throws -> TranscriptAccumulator {
        let events = engine.events
        let reader = Task {
            var accumulator = TranscriptAccumulator()
            for await event in events { accumulator.apply(event) }
            return accumulator
        }
        try await engine.start()
        for start in stride(from: 0, to: samples.count, by: chunk) {
            try await engine.append(Array(samples[start..<min(samples.count, start + chunk)]))
        }
        try await engine.finish()
        return await reader.value
    }

    @Test func enginesShareAModelAndChunkSizesDoNotChangeTheText() async throws {
        let samples = try speech()
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for chunk in [160, 1600, 80_000] {
                group.addTask {
                    let engine = try ModelEngine(model: model, options: LiveOptions(language: "en"), pace: .fast)
                    return try await run(engine, samples, chunk: chunk).displayText
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(texts).count == 1 && !texts[0].isEmpty, "\(texts)")
    }

    @Test func theThreadedEngineSaysItAllToo() async throws {
        let engine = try ModelEngine(model: model, options: LiveOptions(language: "en"))
        let heard = try await run(engine, try speech(), chunk: 1600)
        #expect(heard.state == .finished && !heard.displayText.isEmpty && heard.volatile.isEmpty)
        #expect(engine.statistics.decodings > 0)
    }

    /// Where audio is missing it is said in its place, and times continue as the source has them.
    @Test func discontinuitiesAreReportedInPlace() async throws {
        let (stream, source) = AudioStream.makeStream {}
        let second = [Float](repeating: 0, count: 16_000)
        let gap = AudioDiscontinuity(.skipped, position: 16_000, length: 640_000)
        source.yield(AudioChunk(position: 0, samples: second))
        source.yield(AudioChunk(position: 656_000, samples: second, discontinuities: [gap]))
        source.finish()
        let engine = try ModelEngine(model: model, options: LiveOptions(language: "en"))
        try await engine.start()
        try await engine.append(contentsOf: stream)
        try await engine.finish()
        var events: [TranscriptionEvent] = []
        for await event in engine.events { events.append(event) }
        expectOrder(of: events)
        let place = try #require(events.first { if case .discontinuity = $0 { true } else { false } })
        #expect(abs(place.position - 1) < 0.04)
        #expect(
            place.jsonLine.hasSuffix(
                #""position": \#(place.position), "kind": "skipped", "start": 1.0, "length": 40.0}"#))
        #expect(engine.statistics.audioSeconds == 42)
    }

    @Test func anEngineTranscribesOneStream() async throws {
        let engine = try ModelEngine(model: model)
        await #expect(throws: StenoError.self) { try await engine.append([0]) }
        try await engine.start()
        await #expect(throws: StenoError.self) { try await engine.start() }
        try await engine.finish()
        await #expect(throws: StenoError.self) { try await engine.append([0]) }
        var last: TranscriptionState?
        for await event in engine.events { if case .stateChange(let state, _) = event { last = state } }
        #expect(last == .finished)
    }

    @Test func cancellingEndsAtOnce() async throws {
        let engine = try ModelEngine(model: model, pace: .fast)
        try await engine.start()
        try await engine.append(try speech())
        await engine.cancel()
        var states: [TranscriptionState] = []
        for await event in engine.events { if case .stateChange(let state, _) = event { states.append(state) } }
        #expect(states.last == .cancelled)
        await #expect(throws: CancellationError.self) { try await engine.append([0]) }
    }

    @Test func wrongOptionsAreRefused() {
        #expect(throws: StenoError.self) { try ModelEngine(model: model, options: LiveOptions(language: "xx")) }
        var options = LiveOptions()
        options.step = 0
        #expect(throws: StenoError.self) { try ModelEngine(model: model, options: options) }
    }
}

/// Choosing an engine.
struct TranscriptionEngineFactoryTests {
    private struct Provider: TranscriptionEngineProvider {
        var name: String
        var able: EngineCapability
        var fails = false

        func capability(for options: LiveOptions) -> EngineCapability { able }
        func prepareAssets(for options: LiveOptions) throws {
            if fails { throw StenoError(.modelNotFound, "The download failed.") }
        }
        func makeEngine(for options: LiveOptions) -> any TranscriptionEngine { ScriptedEngine([]) }
    }

    @Test func theFirstCapableEngineIsTakenAndTheReasonReported() async throws {
        let first = try await TranscriptionEngineFactory([Provider(name: "A", able: .ready)]).makeEngine(
            for: LiveOptions())
        #expect(first.provider == "A" && first.fallbackReason == nil)
        let factory = TranscriptionEngineFactory([
            Provider(name: "A", able: .unavailable(reason: "It needs macOS 26.")),
            Provider(name: "B", able: .needsAssets("A model."), fails: true), Provider(name: "C", able: .ready),
        ])
        let choice = try await factory.makeEngine(for: LiveOptions())
        #expect(choice.provider == "C")
        #expect(choice.fallbackReason == "A: It needs macOS 26. B: The download failed.")
    }

    @Test func noneCan() async {
        let factory = TranscriptionEngineFactory([Provider(name: "A", able: .unavailable(reason: "No model."))])
        await #expect { try await factory.makeEngine(for: LiveOptions()) } throws: {
            ($0 as? StenoError)?.code == .engineUnavailable && "\($0)".contains("No model.")
        }
    }

    @Test func aModelThatIsNotThereIsAReason() async {
        let nowhere = ModelLocator(environment: [:], home: URL(fileURLWithPath: "/nonexistent"))
        let provider = ModelEngineProvider(model: "nothing-like-it", locator: nowhere)
        guard case .unavailable(let reason) = await provider.capability(for: LiveOptions()) else {
            Issue.record("there is no such model")
            return
        }
        #expect(reason.contains("nothing-like-it"))
    }
}

/// A model that several engines share.
struct SharedModelTests {
    /// The first loading fails once everybody waits for it, and everybody tries again: one more loading serves them all.
    @Test func aFailureLeavesANewerLoadingAlone() async throws {
        let callers = 64
        let (calls, call) = AsyncStream<Void>.makeStream()
        let (failures, fail) = AsyncStream<Void>.makeStream()
        let attempts = Counter()
        let shared = SharedModel {
            attempts.add()
            guard attempts.count > 1 else {
                await calls.wait(for: callers)
                throw StenoError(.modelDamaged, "The first loading fails.")
            }
            // It ends after every caller has heard of the failure, so that each of them finds it under way.
            await failures.wait(for: callers)
            return SecondFamilyModel()
        }
        let models = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    call.yield()
                    do {
                        return ObjectIdentifier(try await shared.model())
                    } catch {
                        fail.yield()
                        return ObjectIdentifier(try await shared.model())
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(attempts.count == 2 && models.count == 1)
        // What was loaded stays.
        #expect(ObjectIdentifier(try await shared.model()) == models.first && attempts.count == 2)
    }

    /// Whoever waits no longer does not take the model from the others.
    @Test func aCancelledCallerEndsNoLoading() async throws {
        let (calls, call) = AsyncStream<Void>.makeStream()
        let attempts = Counter()
        let shared = SharedModel {
            attempts.add()
            await calls.wait(for: 1)
            try Task.checkCancellation()
            return SecondFamilyModel()
        }
        let cancelled = Task { try await shared.model() }
        cancelled.cancel()
        let other = Task { try await shared.model() }
        call.yield()
        let model = try await other.value
        #expect(try await cancelled.value === model)
        #expect(attempts.count == 1)
    }
}

extension AsyncStream<Void> {
    fileprivate func wait(for count: Int) async {
        var iterator = makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
    }
}

struct ScriptedEngineTests {
    @Test func eventsComeWithTheAudio() async throws {
        let word = TranscriptSegment(id: 0, startTime: 0, endTime: 1, text: " Hello", isFinal: true)
        let engine = ScriptedEngine([.final(text: " Hello", segments: [word], position: 1)])
        try await engine.start()
        try await engine.append([Float](repeating: 0, count: 16_000))
        try await engine.finish()
        var accumulator = TranscriptAccumulator()
        for await event in engine.events { accumulator.apply(event) }
        #expect(accumulator.displayText == "Hello" && accumulator.state == .finished)
    }
}

private let engineTestsRun: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()
