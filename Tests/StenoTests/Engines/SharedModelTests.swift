import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno

@Suite(.timeLimit(.minutes(60))) struct SharedModelTests {
    private let located = LocatedModel(name: "scripted", folder: URL(fileURLWithPath: "/"), origin: .path)
    private let attempts = Counter()

    private func shared(_ load: @escaping @Sendable () async throws -> any SpeechModel) -> SharedModel {
        SharedModel(
            locate: { [located] in located },
            load: { [attempts] _ in
                attempts.add()
                return try await load()
            })
    }

    /// The first loading fails once everybody waits for it; everybody tries again, and one more loading serves them all.
    @Test func afterAFailureOneRetryServesEverybody() async throws {
        let callers = 64
        let (calls, call) = AsyncStream<Void>.makeStream()
        let (failures, fail) = AsyncStream<Void>.makeStream()
        let shared = shared {
            guard attempts.count > 1 else {
                await calls.wait(for: callers)
                throw StenoError(.modelDamaged, "The first loading fails.")
            }
            // It ends after every caller has seen the failure, so that each finds it under way.
            await failures.wait(for: callers)
            return SecondFamilyModel()
        }
        let models = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    // Reported when the caller has begun to wait.
                    do {
                        return ObjectIdentifier(try await shared.model { _ in call.yield() })
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

    /// A caller that stops waiting does not take the model from the others.
    @Test func aCancelledCallerEndsItsOwnWaitOnly() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (calls, call) = AsyncStream<Void>.makeStream()
        let shared = shared {
            await gate.wait(for: 1)
            try Task.checkCancellation()
            return SecondFamilyModel()
        }
        let cancelled = Task { try await shared.model { _ in call.yield() } }
        let other = Task { try await shared.model { _ in call.yield() } }
        await calls.wait(for: 2)
        cancelled.cancel()
        // While the loading is still waiting.
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        open.yield()
        _ = try await other.value
        #expect(attempts.count == 1)
    }

    @Test func theLastCallerCancelsTheLoadingAndTheNextRestartsIt() async throws {
        let (calls, call) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let shared = shared {
            guard attempts.count == 1 else { return SecondFamilyModel() }
            // Only a cancellation ends it.
            await AsyncStream<Void> { _ in }.wait(for: 1)
            end.yield()
            try Task.checkCancellation()
            return SecondFamilyModel()
        }
        let callers = (0..<3).map { _ in Task { try await shared.model { _ in call.yield() } } }
        await calls.wait(for: 3)
        for caller in callers { caller.cancel() }
        for caller in callers { await #expect(throws: CancellationError.self) { try await caller.value } }
        await ends.wait(for: 1)
        _ = try await shared.model()
        #expect(attempts.count == 2)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shared.model()
        }
        // It is loaded: there is nothing to wait for.
        _ = try await late.value
    }

    /// The model of an abandoned loading: released when the loading ends, unless it was taken by mistake.
    ///
    /// `@unchecked Sendable`: set before anybody looks.
    private final class LateModel: @unchecked Sendable {
        weak var value: SecondFamilyModel?
    }

    private struct LateFailure: Error {
        let model: SecondFamilyModel
    }

    /// An abandoned attempt may end late, whichever way, while a newer one is running.
    @Test(arguments: [true, false]) func theLateEndOfAnOldAttemptLeavesANewerOneAlone(succeeds: Bool) async throws {
        let (calls, call) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let old = AsyncGate(), new = AsyncGate()
        let (late, newModel) = (LateModel(), SecondFamilyModel())
        // Neither loading is ended by a cancellation.
        let shared = shared {
            guard attempts.count == 1 else {
                begin.yield()
                await new.wait()
                return newModel
            }
            let model = SecondFamilyModel()
            late.value = model
            begin.yield()
            await old.wait()
            if !succeeds { throw LateFailure(model: model) }
            return model
        }
        let first = Task { try await shared.model() }
        await begun.wait(for: 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await shared.model() }
        await begun.wait(for: 1)
        old.open()
        try await waitWhile(await shared.loaded == nil && late.value != nil)
        // No third attempt begins during the second, which serves its caller.
        let third = Task { try await shared.model { _ in call.yield() } }
        await calls.wait(for: 1)
        new.open()
        for caller in [second, third] {
            let model = try await caller.value
            #expect(model === newModel)
        }
        #expect(attempts.count == 2)
        let loaded = await shared.loaded
        #expect(loaded === newModel)
    }

    @Test func aCancelledCallerBeginsNothing() async throws {
        let shared = shared { SecondFamilyModel() }
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shared.model()
        }
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(attempts.count == 0)
    }
}

extension AsyncStream<Void> {
    fileprivate func wait(for count: Int) async {
        var iterator = makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
    }
}
