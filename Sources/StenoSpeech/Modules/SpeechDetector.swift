import Foundation
import Steno

#if canImport(CoreMedia)
    public import CoreMedia
#endif

/// Detects speech.
///
/// Its sensitivity also applies to the transcribers in the same analyzer, which decode only speech. Apple's detector
/// works only with a transcriber; this one also works without one, and needs no model.
public final class SpeechDetector: SpeechModule {
    /// How readily audio counts as speech.
    public enum SensitivityLevel: Int, Sendable, Hashable, CaseIterable {
        /// Only audio that is certainly speech.
        case low
        /// Audio that is probably speech.
        case medium
        /// Any audio that might be speech.
        case high
    }

    /// How speech is detected.
    public struct DetectionOptions: Sendable, Hashable {
        /// How readily audio counts as speech.
        public let sensitivityLevel: SensitivityLevel

        /// Creates options.
        public init(sensitivityLevel: SensitivityLevel) { self.sensitivityLevel = sensitivityLevel }
    }

    let claim = ModuleClaim()
    let environment = SpeechEnvironment.current
    let sensitivity: SensitivityLevel
    private let reportsResults: Bool
    private let channel = ResultChannel<Result>()

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - detectionOptions: The sensitivity.
    ///   - reportResults: Whether to report ``results``.
    public init(detectionOptions: DetectionOptions, reportResults: Bool) {
        sensitivity = detectionOptions.sensitivityLevel
        reportsResults = reportResults
    }

    /// Creates a detector of medium sensitivity that reports nothing.
    public convenience init() {
        self.init(detectionOptions: DetectionOptions(sensitivityLevel: .medium), reportResults: false)
    }

    /// The ranges with and without speech, in order; empty unless requested.
    public var results: ModuleResults<Result> { ModuleResults(channel: channel) }

    /// A range of the audio with or without speech.
    public struct Result: SpeechModuleResult, Sendable, Hashable {
        /// The range; it grows while the result is volatile.
        public let range: CMTimeRange
        /// Results before this time are final.
        public let resultsFinalizationTime: CMTime
        /// Whether it contains speech.
        public let speechDetected: Bool
    }
}

// MARK: - The engine

extension SpeechDetector: EngineModule {
    var locale: Locale? { nil }

    func adjust(_ options: inout LiveOptions, isFile: Bool) {}

    func read(_ events: TranscriptionEvents, _ session: ModuleSession) async {
        let translation = DetectionTranslation(origin: session.origin, isReporting: reportsResults)
        await session.read(events, translation, into: channel) { $0 }
    }

    func finish(throwing error: (any Error)?) { channel.finish(throwing: error) }
}

extension SpeechDetector.SensitivityLevel {
    /// Sets the probabilities at which speech begins and ends.
    func adjust(_ options: inout LiveOptions) {
        switch self {
        case .low: (options.speechThreshold, options.silenceThreshold) = (0.7, 0.55)
        case .medium: break
        case .high: (options.speechThreshold, options.silenceThreshold) = (0.3, 0.2)
        }
    }
}

/// Turns the events of an engine into contiguous ranges with and without speech.
///
/// When speech begins, the silence before it becomes final, and a volatile result reports the speech; when it ends, the
/// speech becomes final.
struct DetectionTranslation: EventTranslation {
    private(set) var finalTime = 0.0

    private let origin: AudioTime
    private let isReporting: Bool
    private var isSpeaking = false
    /// The end of the audio so far, in seconds.
    private var position = 0.0

    init(origin: AudioTime, isReporting: Bool) { (self.origin, self.isReporting) = (origin, isReporting) }

    mutating func results(of event: TranscriptionEvent) -> [SpeechDetector.Result] {
        position = max(position, event.position)
        let wasSpeaking = isSpeaking
        if let began = event.isSpeaking, let time = event.speechTime {
            isSpeaking = began
            return report(to: time, speech: wasSpeaking) + (began ? volatile() : [])
        }
        return event.state?.isEnd == true ? report(to: position, speech: wasSpeaking) : []
    }

    private mutating func report(to time: Double, speech: Bool) -> [SpeechDetector.Result] {
        guard time > finalTime else { return [] }
        let start = finalTime
        finalTime = time
        return isReporting ? [result(start..<time, speech: speech)] : []
    }

    private func volatile() -> [SpeechDetector.Result] {
        isReporting && position > finalTime ? [result(finalTime..<position, speech: true)] : []
    }

    private func result(_ range: Range<Double>, speech: Bool) -> SpeechDetector.Result {
        let time = { CMTime(origin + AudioTime(sampleAt: $0)) }
        return SpeechDetector.Result(
            range: CMTimeRange(start: time(range.lowerBound), end: time(range.upperBound)),
            resultsFinalizationTime: time(finalTime), speechDetected: speech)
    }
}
