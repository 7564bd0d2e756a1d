import Foundation
package import Steno
package import StenoCore

/// A model that forwards to another whatever it does not implement itself.
package protocol ForwardingModel: SpeechModel {
    var model: any SpeechModel { get }
}

extension ForwardingModel {
    package var information: SpeechModelInformation { model.information }

    package func check(_ options: TranscriptionOptions) throws { try model.check(options) }

    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, RecordingEvent) -> Void
    ) throws {
        try model.transcribe(feed, lanes: lanes, options, isCancelled: isCancelled, onEvent: onEvent)
    }

    package func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { try model.detectLanguage(source, options, isCancelled: isCancelled) }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options)
    }
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        try model.measureRealTimeFactor(isCancelled: isCancelled)
    }
}

/// A model that counts the decodings of live audio, from any caller.
package final class CountingModel: ForwardingModel, @unchecked Sendable {
    // Sendable: the count is accessed under the lock.
    private let lock = NSLock()
    private var count = 0
    package let model: any SpeechModel

    package init(_ model: any SpeechModel) { self.model = model }

    /// The number of decodings since the last call.
    package func takeDecodings() -> Int {
        lock.withLock {
            defer { count = 0 }
            return count
        }
    }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options).wrapped { _, decode in
            self.lock.withLock { self.count += 1 }
            return try decode()
        }
    }

    /// The engine's own text for samples with this model, and the number of decodings it took.
    package func heard(
        _ samples: [Float], options: LiveOptions = LiveOptions()
    ) async throws -> (text: LiveTranscript, decodings: Int) {
        let engine = try ModelEngine(model: self, options: options, pace: .fast)
        let events = engine.events(buffering: .unbounded)
        _ = takeDecodings()
        try await engine.start()
        try await engine.append(samples)
        try await engine.finish()
        let text = await events.reduce(into: LiveTranscript()) { $0.apply($1) }
        return (text, takeDecodings())
    }
}
