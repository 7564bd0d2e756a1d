import Foundation
import StenoTestSupport

@testable import StenoCore

/// Holds up a decoder until it is opened, and is passed when the decoder is gone.
final class Gate: @unchecked Sendable {
    // Sendable: the state is accessed under the condition's lock, the stream is.
    private let condition = NSCondition()
    private var isOpen = false
    private let gone: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (gone, continuation) = AsyncStream.makeStream() }

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// Blocks the decoder's thread.
    func pass() {
        condition.lock()
        while !isOpen { condition.wait() }
        condition.unlock()
    }

    func decoderEnded() { continuation.finish() }

    func decoderIsGone() async { for await _ in gone {} }
}

/// A model whose decoder waits at a gate.
final class GatedModel: SequentialModel {
    private let model: SecondFamilyModel
    private let gate: Gate
    private let fails: Bool

    init(_ gate: Gate, hearing: SecondFamilyModel.Hearing = .repeated, fails: Bool = false) {
        model = SecondFamilyModel(hearing: hearing)
        self.gate = gate
        self.fails = fails
    }

    var information: SpeechModelInformation { model.information }

    func check(_ request: TranscriptionOptions) throws { try model.check(request) }

    func transcribe(
        _ recordings: [AudioOpener], _ request: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {}

    func detectLanguage(
        _ source: any SampleSource, _ request: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { LanguageDetection(language: "en", probability: 1) }

    func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        let owner = DecoderLife(gate)
        return try model.makeLiveDecoder(options).wrapped { [fails] _, decode in
            owner.gate.pass()
            if fails { throw StenoError(.modelDamaged, "The weights are damaged.") }
            return try decode()
        }
    }
}

/// Lives as long as the decoder that holds it.
private final class DecoderLife {
    let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    deinit { gate.decoderEnded() }
}
