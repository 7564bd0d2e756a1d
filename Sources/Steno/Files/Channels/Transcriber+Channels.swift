import Foundation
package import StenoCore

extension Transcriber {
    /// Opens a recording so that it reads one channel, counted from 0.
    package typealias ChannelOpener = @Sendable (Int) throws -> AudioFile

    /// Transcribes the channels of a recording separately, such as the two sides of a call.
    ///
    /// The segments of all channels are in one timeline, and ``Segment/speaker`` is “Channel 1”, “Channel 2” and so on.
    /// Crosstalk between the microphones appears once. With a batch size above 1 the windows of all channels are
    /// decoded in batches.
    ///
    /// - Parameter open: Opens one channel; called for each, on the transcription's thread.
    /// - Throws: As ``transcribe(file:options:)``; `StenoError.invalidOption` for audio that can be read only once.
    package func transcribeChannels(
        options: TranscriptionOptions = TranscriptionOptions(), progress: Progress? = nil,
        from open: @escaping ChannelOpener
    ) async throws -> Transcript {
        // Measuring the channels decodes all of the audio, so it is part of the call.
        try await call("steno.decode") { [model, options] flag in
            let channels = try CancellationFlag.$current.withValue(flag) {
                try RecordingChannels(options) { channel in
                    let audio = try open(channel)
                    flag.interrupt(audio.interruption)
                    return audio
                }
            }
            let report = ChannelProgress(count: channels.count, progress)
            var found = [Transcript?](repeating: nil, count: channels.count)
            var failure: (any Error)?
            do {
                try model.transcribe(
                    labelling: (0..<channels.count).map { channel in
                        { try flag.open { try channels.source(channel, open) } }
                    }, channels.options, isCancelled: { flag.isCancelled || failure != nil },
                    onEvent: { report.add($1, channel: $0) }
                ) { channel, result in
                    switch result {
                    case .success(let transcript):
                        report.finish(transcript, channel: channel)
                        found[channel] = transcript
                    case .failure(let error): failure = failure ?? error
                    }
                }
            } catch {
                // A channel that fails stops the others.
                throw failure ?? error
            }
            if let failure { throw failure }
            return channels.joined(found)
        }
    }

    /// Transcribes the channels of recordings separately, as they arrive, until the feed ends; the whole feed counts as
    /// one call.
    ///
    /// - Parameters:
    ///   - lanes: The maximum number of channels decoded at once; it does not change the transcripts.
    ///   - options: The options that the memory is allocated for; each recording has its own.
    ///   - onEnd: Receives each result, on the thread that decodes: while it blocks, nothing is decoded.
    /// - Throws: As ``transcribe(_:lanes:options:onEnd:)``.
    package func transcribeChannels(
        _ feed: any ChannelRecordingFeed, lanes: Int, options: TranscriptionOptions,
        onEnd: @escaping @Sendable (FedResult) -> Void
    ) async throws {
        try await call("steno.decode") { [model, options = options.withWords] flag in
            flag.whenCancelled { feed.stop() }
            let channels = ChannelFeed(feed, onEnd: onEnd)
            // Files opened on this thread are interrupted with this work.
            try CancellationFlag.$current.withValue(flag) {
                try model.transcribe(
                    channels, lanes: lanes, options, isCancelled: { flag.isCancelled }, onEnd: channels.finish)
            }
        }
    }
}

/// The progress of several channels as that of one recording.
///
/// `@unchecked Sendable`: the stored values are accessed only while `lock` is held.
private final class ChannelProgress: @unchecked Sendable {
    private let lock = NSLock()
    private let progress: Transcriber.Progress?
    private var processed: [Double]
    private var hasLanguage = false

    init(count: Int, _ progress: Transcriber.Progress?) {
        processed = Array(repeating: 0, count: count)
        self.progress = progress
    }

    func add(_ event: TranscriptionProgressEvent, channel: Int) {
        guard let progress else { return }
        switch event {
        case .language:
            let isFirst = lock.withLock {
                defer { hasLanguage = true }
                return !hasLanguage
            }
            if isFirst { progress(event) }
        case .segment(var segment):
            segment.speaker = Transcript.channelName(channel)
            progress(.segment(segment))
        case .progress(let seconds, let total): advance(to: seconds, of: total, channel: channel)
        }
    }

    /// Ends a channel, whose last speech may be long before its end.
    func finish(_ transcript: Transcript, channel: Int) {
        advance(to: transcript.duration, of: transcript.duration, channel: channel)
    }

    private func advance(to seconds: Double, of total: Double?, channel: Int) {
        guard let progress else { return }
        let mean: Double? = lock.withLock {
            guard seconds > processed[channel] else { return nil }
            processed[channel] = seconds
            return processed.reduce(0, +) / Double(processed.count)
        }
        if let mean { progress(.progress(processed: mean, total: total)) }
    }
}
