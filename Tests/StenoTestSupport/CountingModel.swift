import Foundation
package import StenoCore

/// A model that counts the decodings of live audio, whoever asks for them.
package final class CountingModel: SpeechModel, @unchecked Sendable {
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

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options).wrapped { _, decode in
            self.lock.withLock { self.count += 1 }
            return try decode()
        }
    }
}
