import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

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
