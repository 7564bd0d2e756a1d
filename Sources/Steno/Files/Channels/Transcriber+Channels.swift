import Foundation
package import StenoCore

extension Transcriber {
    /// Opens a recording so that it reads one channel, counted from 0.
    package typealias ChannelOpener = @Sendable (Int) throws -> AudioFile

    /// Transcribes the channels of a recording by themselves, such as the two sides of a call, in one run.
    ///
    /// The segments of all channels are in one timeline, and ``Segment/speaker`` is “Channel 1”, “Channel 2” and so on.
    /// What one microphone hears of another's speaker appears once. With a ``DecodingOptions/batchSize`` above 1 the
    /// windows of all channels are decoded in batches.
    ///
    /// - Parameter open: Opens one channel; called for each, on the thread of the transcription.
    /// - Throws: As ``transcribe(file:options:)``; `StenoError.invalidOption` for audio that can be read only once.
    package func transcribeChannels(
        options: some TranscriptionOptions = TranscriptionRequest(), progress: Progress? = nil,
        from open: @escaping ChannelOpener
    ) async throws -> Transcript {
        let count = try await channelCount(open)
        var request = options.request
        let keepsWords = request.wordTimestamps
        request.wordTimestamps = true
        request.familyOptions = request.familyOptions?.withWordTimestamps()
        let envelopes = (0..<count).map { _ in ChannelEnvelope() }
        let report = ChannelProgress(count: count, progress)
        let openers: [SourceOpener] = envelopes.enumerated().map { channel, envelope in
            { EnvelopeSource(try open(channel), envelope) }
        }
        var found = [Transcript?](repeating: nil, count: count)
        for try await (channel, transcript) in transcripts(
            options: request, progress: { report.add($1, channel: $0) }, from: openers)
        {
            found[channel] = try transcript.get()
        }
        let channels = zip(found, envelopes).compactMap { transcript, envelope in
            transcript.map { ChannelTranscript(transcript: $0, powers: envelope.powers) }
        }
        return Transcript(channels: channels, keepsWords: keepsWords)
    }

    private func channelCount(_ open: @escaping ChannelOpener) async throws -> Int {
        try await Worker.run("steno.channels", stack: .shallow) { flag in
            let audio = try CancellationFlag.$current.withValue(flag) { try open(0) }
            flag.interrupt(audio.interruption)
            let count = try audio.channelCount()
            guard try audio.rewind() else {
                throw StenoError(
                    .invalidOption,
                    "The channels of a pipe cannot be read one by one. Save the recording and name the file."
                )
            }
            return count
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
        case .progress(let seconds, let total):
            let mean = lock.withLock {
                processed[channel] = seconds
                return processed.reduce(0, +) / Double(processed.count)
            }
            progress(.progress(processed: mean, total: total))
        }
    }
}
