import Testing

@testable import Steno
@testable import StenoCore

/// Which call is allowed when: every sequence of calls against the table of the documentation.
struct SessionLifecycleTests {
    private enum Call: CaseIterable {
        case start, prepared, finish, end
    }

    /// What a call does according to the documentation.
    private struct Table {
        var state = TranscriptionState.idle
        var audioHasEnded = false

        /// The states to report; nil when the call throws.
        mutating func apply(_ call: Call) -> [TranscriptionState]? {
            switch (call, state) {
            case (.start, .idle):
                state = .preparing
                return []
            case (.start, _): return nil
            case (.prepared, .preparing):
                state = audioHasEnded ? .finishing : .running
                return audioHasEnded ? [.running, .finishing] : [.running]
            case (.prepared, _): return []
            case (.finish, .idle): return nil
            case (.finish, .preparing):
                audioHasEnded = true
                return []
            case (.finish, .running):
                (state, audioHasEnded) = (.finishing, true)
                return [.finishing]
            case (.finish, _): return []
            case (.end, _) where state.isEnd: return []
            case (.end, _):
                state = .finished
                return [.finished]
            }
        }

        var accepts: Bool { [.preparing, .running].contains(state) && !audioHasEnded }
    }

    @Test func everySequenceOfCallsFollowsTheTable() {
        func check(_ lifecycle: SessionLifecycle, _ table: Table, depth: Int, path: [Call]) {
            #expect(lifecycle.state == table.state, "\(path)")
            #expect(((try? lifecycle.checkAccepting()) != nil) == table.accepts, "\(path)")
            guard depth > 0 else { return }
            for call in Call.allCases {
                var lifecycle = lifecycle, table = table
                let expected = table.apply(call)
                let reported: [TranscriptionState]? =
                    switch call {
                    case .start: (try? lifecycle.start()).map { [] }
                    case .prepared: lifecycle.prepared()
                    case .finish: try? lifecycle.finish()
                    case .end: lifecycle.end(.finished) ? [.finished] : []
                    }
                #expect(reported == expected, "\(path) \(call)")
                check(lifecycle, table, depth: depth - 1, path: path + [call])
            }
        }
        check(SessionLifecycle(), Table(), depth: 6, path: [])
    }

    @Test func theFirstEndingCounts() throws {
        var lifecycle = SessionLifecycle()
        try lifecycle.start()
        let isFirst = lifecycle.end(.cancelled), isSecond = lifecycle.end(.finished)
        #expect(isFirst && !isSecond)
        #expect(lifecycle.state == .cancelled)
        #expect(throws: CancellationError.self) { try lifecycle.checkAccepting() }
    }
}
