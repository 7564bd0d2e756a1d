import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno

/// A model that several engines share.
@Suite(.timeLimit(.minutes(60))) struct SharedModelTests {
    private let located = LocatedModel(name: "scripted", folder: URL(fileURLWithPath: "/"), origin: .path)

    private func shared(_ load: @escaping @Sendable () async throws -> any SpeechModel) -> SharedModel {
        SharedModel(locate: { [located] in located }, load: { _ in try await load() })
    }

    /// The first loading fails once everybody waits for it, and everybody tries again: one more loading serves them all.
    @Test func afterAFailureOneMoreLoadingServesEverybody() async throws {
        let callers = 64
        let (calls, call) = AsyncStream<Void>.makeStream()
        let (failures, fail) = AsyncStream<Void>.makeStream()
        let attempts = Counter()
        let shared = shared {
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

    /// Whoever waits no longer does not take the model from the others.
    @Test func aCancelledCallerEndsItsOwnWaitOnly() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (calls, call) = AsyncStream<Void>.makeStream()
        let attempts = Counter()
        let shared = shared {
            attempts.add()
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

    @Test func theLoadingIsCancelledWithItsLastCallerAndBeginsAnewWithTheNext() async throws {
        let (calls, call) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let attempts = Counter()
        let shared = shared {
            attempts.add()
            guard attempts.count == 1 else { return SecondFamilyModel() }
            // Ends by cancellation only.
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
}

/// Who waits for which attempt, in every order that matters.
struct LoadingStateTests {
    @Test func callersShareAnAttempt() {
        var state = LoadingState<String>()
        #expect(state.join(1) == 1)
        #expect(state.join(2) == nil && state.join(3) == nil)
        #expect(state.end(1, value: "model") == [1, 2, 3])
        #expect(state.value == "model")
    }

    @Test func afterAFailureTheNextCallerTriesAgain() {
        var state = LoadingState<String>()
        #expect(state.join(1) == 1 && state.end(1, value: nil) == [1])
        #expect(state.value == nil)
        #expect(state.join(2) == 2 && state.end(2, value: "model") == [2])
    }

    /// An attempt that everybody has left may end late, in whatever way, while a newer one is running.
    @Test(arguments: [nil, "old"]) func theLateEndOfAnOldAttemptLeavesANewerOneAlone(_ value: String?) {
        var state = LoadingState<String>()
        #expect(state.join(1) == 1)
        #expect(state.leave(1) == true)
        #expect(state.join(2) == 2)
        #expect(state.end(1, value: value).isEmpty)
        #expect(state.value == nil)
        // Nobody begins a third one beside it, and its caller is served.
        #expect(state.join(3) == nil)
        #expect(state.end(2, value: "new") == [2, 3])
        #expect(state.value == "new")
    }

    @Test func onlyTheLastCallerCancelsTheAttempt() {
        var state = LoadingState<String>()
        #expect(state.join(1) == 1 && state.join(2) == nil)
        #expect(state.leave(1) == false)
        #expect(state.leave(1) == false)
        #expect(state.leave(2) == true)
        #expect(state.leave(2) == false)
    }

    @Test func whoeverLeavesAfterTheEndCancelsNothing() {
        var state = LoadingState<String>()
        #expect(state.join(1) == 1 && state.end(1, value: nil) == [1])
        #expect(state.join(2) == 2)
        #expect(state.leave(1) == false)
        #expect(state.end(2, value: "model") == [2])
    }
}

extension AsyncStream<Void> {
    fileprivate func wait(for count: Int) async {
        var iterator = makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
    }
}
