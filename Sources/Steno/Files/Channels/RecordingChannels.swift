import StenoCore

/// The channels of one recording, which are transcribed separately and joined into one transcript.
struct RecordingChannels: Sendable {
    /// The options for each channel; word times are on, to find text that is in two channels.
    let options: TranscriptionOptions
    private let keepsWords: Bool
    /// The power of each channel in frames of 10 ms.
    private let powers: [[Float]]
    /// Whether each frame is kept; nil for a channel without leakage.
    private let kept: [[Bool]?]

    var count: Int { powers.count }

    /// Opens a recording, and reads each channel once to measure its loudness.
    ///
    /// - Throws: What `open` throws; `StenoError.invalidOption` for audio that can be read only once.
    init(_ options: TranscriptionOptions, open: (Int) throws -> AudioFile) throws {
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
        powers = try (0..<count).map { channel in
            var envelope = ChannelEnvelope()
            try envelope.add(channel == 0 ? audio : open(channel))
            return envelope.powers
        }
        kept = LeakageGate.kept(powers)
    }

    /// The audio of a channel, without what only leaks into it.
    func source(_ channel: Int, _ open: (Int) throws -> AudioFile) throws -> any SampleSource {
        let audio = try open(channel)
        return kept[channel].map { GatedSource(audio, kept: $0) } ?? audio
    }

    func joined(_ transcripts: [Transcript?]) -> Transcript {
        let channels = zip(transcripts, powers).compactMap { transcript, powers in
            transcript.map { ChannelTranscript(transcript: $0, powers: powers) }
        }
        return Transcript(channels: channels, keepsWords: keepsWords)
    }
}

/// The power of a channel in frames of 10 ms.
struct ChannelEnvelope {
    static let frameLength = AudioFile.sampleRate / 100
    /// Samples in floating point can be so far above 1 that their squares overflow.
    private static let loudest: Float = 1e6

    /// The mean square of the samples of each whole frame.
    private(set) var powers: [Float] = []
    private var sum: Float = 0
    private var position = 0

    mutating func add(_ samples: some Sequence<Float>) {
        for sample in samples {
            sum += sample * sample
            position += 1
            guard position.isMultiple(of: Self.frameLength) else { continue }
            powers.append(min(sum / Float(Self.frameLength), Self.loudest))
            sum = 0
        }
    }

    mutating func add(_ source: any SampleSource) throws {
        try withUnsafeTemporaryAllocation(of: Float.self, capacity: 16_384) { buffer in
            while true {
                let count = try source.read(into: buffer)
                guard count > 0 else { return }
                add(buffer[..<count])
            }
        }
    }
}
