import Foundation
import Steno

/// Collects the segments of a recording while it is transcribed, and reports them.
final class FileProgress: @unchecked Sendable {
    // Sendable: all state is accessed under the lock, which is not held while a callback runs.
    private let lock = NSLock()
    private let start = ContinuousClock.now
    private let callback: TranscriptionCallback?
    private let segmentCallback: SegmentDiscoveryCallback?
    private var tokenizer: (any WhisperTokenizer)?
    private var stopped = false
    private var stop: @Sendable () -> Void = {}
    private var segments: [TranscriptionSegment] = []
    private var text = ""
    private var language = LanguageDetection.undetermined
    private var seconds = 0.0

    init(_ callback: TranscriptionCallback?, _ segmentCallback: SegmentDiscoveryCallback?) {
        (self.callback, self.segmentCallback) = (callback, segmentCallback)
    }

    /// Begins the transcription, with its model's tokenizer.
    func begin(_ tokenizer: (any WhisperTokenizer)?) { lock.withLock { self.tokenizer = tokenizer } }

    /// Whether the callback has ended the transcription.
    var isStopped: Bool { lock.withLock { stopped } }

    /// Calls a handler when the callback ends the transcription; immediately if it already has.
    func whenStopped(_ action: @escaping @Sendable () -> Void) {
        let isStopped = lock.withLock {
            stop = action
            return stopped
        }
        if isStopped { action() }
    }

    func apply(_ event: TranscriptionProgressEvent) {
        switch event {
        case .language(let detection): lock.withLock { language = detection.language }
        case .progress(let processed, _): lock.withLock { seconds = processed }
        case .segment(let segment): report(TranscriptionSegment(segment, lock.withLock { tokenizer }))
        }
    }

    var result: TranscriptionResult {
        lock.withLock {
            TranscriptionResult(
                text: text.trimmingWhitespace, segments: segments, language: language, timings: timings(seconds))
        }
    }

    /// The result of a transcription that was not ended early.
    func result(_ transcript: Transcript) -> TranscriptionResult {
        lock.withLock {
            segments = transcript.segments.map { TranscriptionSegment($0, tokenizer) }
            return TranscriptionResult(
                text: transcript.text, segments: segments, language: transcript.language,
                timings: timings(transcript.duration))
        }
    }

    private func report(_ segment: TranscriptionSegment) {
        guard !isStopped else { return }
        let progress = lock.withLock {
            segments.append(segment)
            text += segment.text
            seconds = max(seconds, Double(segment.end))
            return TranscriptionProgress(
                timings: timings(seconds), text: text.trimmingWhitespace, tokens: segment.tokens,
                temperature: segment.temperature, avgLogprob: segment.avgLogprob,
                compressionRatio: segment.compressionRatio, windowId: segments.count - 1)
        }
        segmentCallback?([segment])
        guard callback?(progress) == false else { return }
        let stop = lock.withLock {
            stopped = true
            return self.stop
        }
        stop()
    }

    private func timings(_ audio: Double) -> TranscriptionTimings {
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        return TranscriptionTimings(
            inputAudioSeconds: audio, fullPipeline: elapsed, tokenCount: segments.reduce(0) { $0 + $1.tokens.count })
    }
}
