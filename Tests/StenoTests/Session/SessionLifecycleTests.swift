import Testing

@testable import Steno
@testable import StenoCore

/// Which call is allowed when: every sequence of calls against the table of the documentation.
struct SessionLifecycleTests {
    private enum Call: CaseIterable {
        case start, prepared, finish, heardAll, end
    }

    /// What a call does according to the documentation.
    private struct Table {
        var state = TranscriptionState.idle
        var audioHasEnded = false

        /// Whether the state changes; nil when the call throws.
        mutating func apply(_ call: Call) -> Bool? {
            let before = state
            switch (call, state) {
            case (.start, .idle): state = .preparing
            case (.start, _): return nil
            case (.prepared, .preparing): state = .running
            case (.finish, .idle): return nil
            case (.finish, .preparing), (.finish, .running): audioHasEnded = true
            case (.heardAll, .running) where audioHasEnded: state = .finishing
            case (.end, _) where !state.isEnd: state = .finished
            default: break
            }
            return state != before
        }

        var accepts: Bool { [.preparing, .running].contains(state) && !audioHasEnded }
    }

    @Test func everySequenceOfCallsFollowsTheDocumentation() {
        func check(_ lifecycle: SessionLifecycle, _ table: Table, depth: Int, path: [Call]) {
            #expect(lifecycle.state == table.state, "\(path)")
            #expect(((try? lifecycle.checkAccepting()) != nil) == table.accepts, "\(path)")
            guard depth > 0 else { return }
            for call in Call.allCases {
                var lifecycle = lifecycle, table = table
                let expected = table.apply(call)
                let changes: Bool? =
                    switch call {
                    case .start: (try? lifecycle.start()).map { true }
                    case .prepared: lifecycle.prepared()
                    case .finish: (try? lifecycle.finish()).map { false }
                    case .heardAll: lifecycle.heardAll()
                    case .end: lifecycle.end(.finished)
                    }
                #expect(changes == expected, "\(path) \(call)")
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
