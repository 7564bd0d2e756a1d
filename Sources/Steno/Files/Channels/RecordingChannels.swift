import StenoCore

/// The channels of one recording, which are transcribed separately and joined into one transcript.
struct RecordingChannels: Sendable {
    /// The options for each channel; word times are on, to find text that is in two channels.
    let options: TranscriptionOptions
    private let keepsWords: Bool
    private let envelopes: [ChannelEnvelope]

    var count: Int { envelopes.count }

    /// Opens a recording to count its channels.
    ///
    /// - Throws: What `open` throws; `StenoError.invalidOption` for audio that can be read only once.
    init(_ options: TranscriptionOptions, open: Transcriber.ChannelOpener) throws {
        self.options = options.withWords
        keepsWords = options.wordTimestamps
        let audio = try open(0)
        let count = try audio.channelCount()
        guard try audio.rewind() else {
            throw StenoError(
                .invalidOption,
                "The channels of a pipe cannot be read one by one. Save the recording and name the file."
            )
        }
        envelopes = (0..<count).map { _ in ChannelEnvelope() }
    }

    /// The audio of a channel; its loudness is measured as it is read.
    func source(_ channel: Int, _ open: Transcriber.ChannelOpener) throws -> any SampleSource {
        let envelope = envelopes[channel]
        return try SampleTap(open(channel)) { envelope.add($0) }
    }

    /// Joins the transcripts of the channels, given in order.
    func joined(_ transcripts: [Transcript?]) -> Transcript {
        let channels = zip(transcripts, envelopes).compactMap { transcript, envelope in
            transcript.map { ChannelTranscript(transcript: $0, powers: envelope.powers) }
        }
        return Transcript(channels: channels, keepsWords: keepsWords)
    }
}
