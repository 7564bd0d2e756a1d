import StenoCore

extension Transcriber {
    /// Opens one channel of a recording, counted from 0; called for each, on the transcription's thread.
    package typealias ChannelOpener = @Sendable (_ recording: Int, _ channel: Int) throws -> AudioFile
}

/// Passes the channels of recordings to a model one by one, and joins their progress and their transcripts.
///
/// `@unchecked Sendable`: everything but `feed` is used only on the model's thread.
final class ChannelFeed: RecordingFeed, @unchecked Sendable {
    /// A recording with unfinished channels.
    private struct Begun {
        let channels: RecordingChannels
        var found: [Transcript?]
        /// The seconds of each channel that are transcribed.
        var processed: [Double]
        var hasLanguage = false
        var remaining: Int
        var failure: (any Error)?
        var seconds: Double

        init(_ channels: RecordingChannels, seconds: Double) {
            self.channels = channels
            self.seconds = seconds
            found = Array(repeating: nil, count: channels.count)
            processed = Array(repeating: 0, count: channels.count)
            remaining = channels.count
        }

        /// The progress of a channel as that of the recording, if it is any.
        mutating func progress(_ event: TranscriptionProgressEvent, _ channel: Int) -> TranscriptionProgressEvent? {
            switch event {
            case .language:
                defer { hasLanguage = true }
                return hasLanguage ? nil : event
            case .segment(var segment):
                segment.speaker = Transcript.channelName(channel)
                return .segment(segment)
            case .progress(let seconds, let total):
                guard seconds > processed[channel] else { return nil }
                processed[channel] = seconds
                return .progress(processed: processed.reduce(0, +) / Double(processed.count), total: total)
            }
        }
    }

    private let feed: any RecordingFeed
    private let open: Transcriber.ChannelOpener
    private let onEvent: (Int, RecordingEvent) -> Void
    private var begun: [Int: Begun] = [:]
    /// The channels that the model has not asked for yet, and the recording and channel of each number.
    private var waiting: [FedRecording] = []
    private var places: [Int: (recording: Int, channel: Int)] = [:]
    private var nextNumber = 0

    /// - Parameters:
    ///   - feed: The recordings, whose own openers are not used.
    ///   - open: Opens a channel of a recording, on the thread of the model.
    ///   - onEvent: Receives the events of each recording, on the thread of the model.
    init(
        _ feed: any RecordingFeed, open: @escaping Transcriber.ChannelOpener,
        onEvent: @escaping (Int, RecordingEvent) -> Void
    ) {
        self.feed = feed
        self.open = open
        self.onEvent = onEvent
    }

    func next(waits: Bool) throws -> FedRecording? {
        while waiting.isEmpty {
            guard let recording = try feed.next(waits: waits) else { return nil }
            try begin(recording)
        }
        return waiting.removeFirst()
    }

    func stop() { feed.stop() }

    private func begin(_ recording: FedRecording) throws {
        let start = ContinuousClock.now
        var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
        let open = { [open] in try open(recording.number, $0) }
        do {
            let channels = try RecordingChannels(recording.options, open: open)
            for channel in 0..<channels.count {
                places[nextNumber] = (recording.number, channel)
                waiting.append(
                    FedRecording(number: nextNumber, options: channels.options) { try channels.source(channel, open) })
                nextNumber += 1
            }
            begun[recording.number] = Begun(channels, seconds: seconds)
        } catch let error
            where (error as? StenoError)?.code != .cancelled && CancellationFlag.current?.isCancelled != true
        {
            onEvent(recording.number, .result(FedResult(.failure(error), seconds: seconds)))
        }
    }

    /// Takes an event of a channel from the model; the result of the last channel finishes its recording.
    func take(_ number: Int, _ event: RecordingEvent) {
        guard let place = places[number] else { return }
        switch event {
        case .progress(let event): report(event, place)
        case .result(let result):
            if case .success(let transcript) = result.transcript {
                // The last speech may be long before the end.
                report(.progress(processed: transcript.duration, total: transcript.duration), place)
            }
            places[number] = nil
            finish(result, place)
        }
    }

    private func report(_ event: TranscriptionProgressEvent, _ place: (recording: Int, channel: Int)) {
        guard let event = begun[place.recording]?.progress(event, place.channel) else { return }
        onEvent(place.recording, .progress(event))
    }

    private func finish(_ result: FedResult, _ place: (recording: Int, channel: Int)) {
        guard var own = begun.removeValue(forKey: place.recording) else { return }
        let start = ContinuousClock.now
        own.remaining -= 1
        own.seconds += result.seconds
        switch result.transcript {
        case .success(let transcript): own.found[place.channel] = transcript
        case .failure(let error):
            own.failure = own.failure ?? error
            own.remaining -= forget(place.recording)
        }
        guard own.remaining == 0 else {
            begun[place.recording] = own
            return
        }
        let transcript = own.failure.map { .failure($0) } ?? Result.success(own.channels.joined(own.found))
        let seconds = own.seconds + (ContinuousClock.now - start) / .seconds(1)
        onEvent(place.recording, .result(FedResult(transcript, seconds: seconds)))
    }

    /// Drops the waiting channels of a recording that has failed; returns their number.
    private func forget(_ recording: Int) -> Int {
        let count = waiting.count
        waiting.removeAll { channel in
            guard places[channel.number]?.recording == recording else { return false }
            places[channel.number] = nil
            return true
        }
        return count - waiting.count
    }
}
