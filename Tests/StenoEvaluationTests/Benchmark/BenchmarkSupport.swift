import Foundation
import StenoCore
import StenoTestSupport

@testable import StenoEvaluation
@_spi(Benchmarks) @testable import StenoEvaluation

/// A clock that advances only on request.
final class ManualClock: Sendable {
    private let time = Monitor(Duration.zero)

    var stopwatch: Stopwatch { Stopwatch { self.time.read { $0 } } }

    func advance(milliseconds: Double) { time.update { $0 += .microseconds(Int64(milliseconds * 1000)) } }
}

/// A window whose stages take scripted times.
final class ScriptedWindow: StagedWindow {
    let clock: ManualClock
    /// The calls in order; equal consecutive calls count as one.
    private(set) var calls: [String] = []
    private var beams = 0

    init(_ clock: ManualClock) { self.clock = clock }

    func computeFeatures() { advanceClock("features", 12) }
    func encode() { advanceClock("encode", 200) }
    func fillCrossAttentionCache() { advanceClock("cross", 30) }

    func start(beams: Int) {
        self.beams = beams
        advanceClock("start \(beams)", 5 * Double(beams))
    }

    func step() { advanceClock("step \(beams)", 2 * Double(beams)) }

    private func advanceClock(_ call: String, _ milliseconds: Double) {
        if calls.last != call { calls.append(call) }
        clock.advance(milliseconds: milliseconds)
    }
}

extension SpeedReport {
    static func empty(runs: Int = 3) -> SpeedReport {
        SpeedReport(model: "base", precision: .int8, threads: 2, instructionSet: "avx2", runs: runs, tokens: 64)
    }
}
