import Foundation
import StenoTestSupport

@testable import StenoCore

/// Holds up a decoder until opened, and notes when the decoder is gone.
struct Gate: Sendable {
    private let isOpen = Monitor(false)
    private let gone = AsyncGate()

    func open() { isOpen.update { $0 = true } }

    /// Blocks the decoder's thread.
    func pass() { isOpen.block { isOpen -> Void? in isOpen ? () : nil } }

    func decoderEnded() { gone.open() }

    func decoderIsGone() async { await gone.wait() }
}

/// A model whose decoder waits at a gate.
final class GatedModel: ForwardingModel {
    let model: any SpeechModel
    private let gate: Gate
    private let fails: Bool

    init(_ gate: Gate, hearing: SecondFamilyModel.Hearing = .repeated, fails: Bool = false) {
        model = SecondFamilyModel(hearing: hearing)
        self.gate = gate
        self.fails = fails
    }

    func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        let owner = DecoderLife(gate)
        return try model.makeLiveDecoder(options).wrapped { [fails] _, decode in
            owner.gate.pass()
            if fails { throw StenoError(.modelDamaged, "The weights are damaged.") }
            return try decode()
        }
    }
}

/// Lives as long as the decoder.
private final class DecoderLife {
    let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    deinit { gate.decoderEnded() }
}
