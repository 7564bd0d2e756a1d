import Foundation
import StenoTestSupport
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

struct LiveNarratorTests {
    private func word(_ text: String, _ start: Double) -> LiveWord {
        LiveWord(UtteranceWord(text: text, handle: [], start: start, end: start + 0.3), origin: 0)
    }

    /// The kinds and texts of the events of some actions.
    private func events(_ actions: LiveAction...) -> [String] {
        var narrator = LiveNarrator()
        return actions.indices.flatMap { index in
            let next = index + 1 < actions.count ? actions[index + 1] : nil
            return narrator.events(for: actions[index], before: next, position: 1).map {
                $0.kind.rawValue + ":" + $0.text
            }
        }
    }

    @Test func partialTextIsAnEventOnlyWhenItChanges() {
        let show = LiveAction.show([word(" one", 0)], utterance: 0)
        let events = events(show, show, .show([word(" one", 0), word(" two", 0.4)], utterance: 0))
        #expect(events == ["partial: one", "partial: one two"])
    }

    /// A reader must not show the text of an utterance that has ended without it.
    @Test func textThatDidNotBecomeFinalIsRemovedBeforeItsUtteranceEnds() {
        let shown = events(.show([word(" one", 0)], utterance: 0), .endUtterance(0))
        #expect(shown == ["partial: one", "partial:", "utterance_end:"])
        let final = events(.commit([word(" one", 0)], utterance: 0), .endUtterance(0, mark: "."))
        #expect(final == ["final: one", "utterance_end:."])
    }
}

@Suite struct LevelMeterTests {
    private func sine(_ amplitude: Double) -> [Float] {
        (0..<1_600).map { Float(amplitude * sin(2 * .pi * 1_000 * Double($0) / 16_000)) }
    }

    @Test(arguments: [(1, -3.0103, 0), (0.5, -9.0309, -6.0206), (0.001, -63.0103, -60)])
    func aSineHasItsLevels(_ amplitude: Double, rms: Double, peak: Double) {
        var meter = LevelMeter()
        let levels = meter.append(sine(amplitude))
        #expect(largestDistance(levels.map(\.rms), [rms]) < 0.001)
        #expect(largestDistance(levels.map(\.peak), [peak]) < 0.001)
    }

    @Test func silenceAndFullScaleAreTheLimits() throws {
        var meter = LevelMeter()
        let levels = meter.append([Float](repeating: 0, count: 1_600) + [Float](repeating: -1, count: 1_600))
        #expect(levels.map(\.rms) == [-120, 10 * log10(1 + 1e-12)])
        #expect(levels.map(\.peak) == [-120, 10 * log10(1 + 1e-12)])
        #expect(meter.append([Float](repeating: .nan, count: 1_600)).map(\.rms) == [-120])
    }

    @Test func chunkSizesDoNotMatter() throws {
        var random = SplitMix64(seed: 4)
        let sound = random.uniform(count: 10_000, centre: 0, span: 1)
        var whole = LevelMeter()
        let expected = whole.append(sound)
        var meter = LevelMeter()
        var (levels, rest) = ([AudioLevel](), sound[...])
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...2_000, using: &random))
            levels += meter.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(levels == expected)
        #expect(meter.position == 9_600)
        #expect(meter.finish() == whole.finish())
        #expect(meter.position == 10_000)
        #expect(meter.finish() == nil)
    }

    @Test func theIntervalIsClamped() {
        let lengths = [0.02, 0, .nan, .infinity].map { LevelMeter(interval: $0).length }
        #expect(lengths == [320, 16, 1_600, 960_000])
    }
}
