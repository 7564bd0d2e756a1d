package import StenoCore

/// A recording of a feed whose channels are transcribed separately, with its options.
package struct ChannelRecording {
    /// The number by which results refer to it.
    package var number: Int
    package var options: TranscriptionOptions
    /// Opens a channel, on the thread that reads it.
    package var open: Transcriber.ChannelOpener

    /// Creates a recording.
    package init(number: Int, options: TranscriptionOptions, open: @escaping Transcriber.ChannelOpener) {
        self.number = number
        self.options = options
        self.open = open
    }
}

/// Recordings that are not known in advance, and whose channels are transcribed separately; see ``RecordingFeed``.
package protocol ChannelRecordingFeed: AnyObject, Sendable {
    /// The next recording; called on the thread of the model.
    ///
    /// - Parameter waits: Whether to block until there is one. Otherwise nil means that there is none yet.
    /// - Returns: Nil forever once there are no more recordings.
    func nextByChannel(waits: Bool) throws -> ChannelRecording?

    /// Ends the feed; from any thread. Audio already given is still decoded.
    func stop()
}

/// Passes the channels of recordings to a model one by one, and joins their transcripts.
///
/// `@unchecked Sendable`: everything but `feed` is used only on the model's thread.
final class ChannelFeed: RecordingFeed, @unchecked Sendable {
    /// A recording with unfinished channels.
    private struct Begun {
        let channels: RecordingChannels
        var found: [Transcript?]
        /// The number of channels that are not done.
        var remaining: Int
        var failure: (any Error)?
        var seconds: Double
    }

    private let feed: any ChannelRecordingFeed
    private let onEnd: (FedResult) -> Void
    private var begun: [Int: Begun] = [:]
    /// The channels that the model has not asked for yet, and the recording and channel of each number.
    private var waiting: [FedRecording] = []
    private var places: [Int: (recording: Int, channel: Int)] = [:]
    private var nextNumber = 0

    /// - Parameter onEnd: Receives the result of each recording, on the thread of the model.
    init(_ feed: any ChannelRecordingFeed, onEnd: @escaping (FedResult) -> Void) {
        self.feed = feed
        self.onEnd = onEnd
    }

    func next(waits: Bool) throws -> FedRecording? {
        while waiting.isEmpty {
            guard let recording = try feed.nextByChannel(waits: waits) else { return nil }
            try begin(recording)
        }
        return waiting.removeFirst()
    }

    func stop() { feed.stop() }

    private func begin(_ recording: ChannelRecording) throws {
        let start = ContinuousClock.now
        var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
        do {
            let channels = try RecordingChannels(recording.options, open: recording.open)
            for channel in 0..<channels.count {
                places[nextNumber] = (recording.number, channel)
                waiting.append(
                    FedRecording(number: nextNumber, options: channels.options) {
                        try channels.source(channel, recording.open)
                    })
                nextNumber += 1
            }
            begun[recording.number] = Begun(
                channels: channels, found: Array(repeating: nil, count: channels.count), remaining: channels.count,
                seconds: seconds)
        } catch let error
            where (error as? StenoError)?.code != .cancelled && CancellationFlag.current?.isCancelled != true
        {
            onEnd(FedResult(number: recording.number, transcript: .failure(error), seconds: seconds))
        }
    }

    /// Takes the result of a channel; the last one finishes its recording.
    func finish(_ result: FedResult) {
        guard let place = places.removeValue(forKey: result.number),
            var own = begun.removeValue(forKey: place.recording)
        else { return }
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
        onEnd(FedResult(number: place.recording, transcript: transcript, seconds: seconds))
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
