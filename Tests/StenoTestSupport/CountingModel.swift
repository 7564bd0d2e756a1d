import Foundation
package import StenoCore

/// A model that counts the decodings of live audio, whoever asks for them.
package final class CountingModel: SequentialModel, @unchecked Sendable {
    // Sendable: the count is accessed under the lock.
    private let lock = NSLock()
    private var count = 0
    private let model: any SpeechModel

    package init(_ model: any SpeechModel) { self.model = model }

    /// The number of decodings since it was last asked for.
    package func takeDecodings() -> Int {
        lock.withLock {
            defer { count = 0 }
            return count
        }
    }

    package var information: SpeechModelInformation { model.information }

    package func check(_ request: TranscriptionRequest) throws { try model.check(request) }

    package func transcribe(
        _ recordings: [AudioOpener], _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {
        try model.transcribe(recordings, request, isCancelled: isCancelled, onEvent: onEvent, onEnd: onEnd)
    }

    package func detectLanguage(
        _ source: any SampleSource, _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { try model.detectLanguage(source, request, isCancelled: isCancelled) }

    package func makeUtteranceDecoder(beams: Int) throws -> any UtteranceDecoding {
        Decoder(try model.makeUtteranceDecoder(beams: beams), self)
    }

    private func add() { lock.withLock { count += 1 } }

    private final class Decoder: UtteranceDecoding {
        private let decoder: any UtteranceDecoding
        private let model: CountingModel

        init(_ decoder: any UtteranceDecoding, _ model: CountingModel) { (self.decoder, self.model) = (decoder, model) }

        var isCancelled: () -> Bool {
            get { decoder.isCancelled }
            set { decoder.isCancelled = newValue }
        }

        func tokens(of text: String) -> [Int] { decoder.tokens(of: text) }

        func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
            model.add()
            return try decoder.decode(samples, request)
        }
    }
}
