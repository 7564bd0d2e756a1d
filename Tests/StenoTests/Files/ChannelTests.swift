import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

/// Channels of files, read and transcribed separately.
@Suite(.timeLimit(.minutes(60))) struct ChannelTests {
    private let folder = TemporaryFolder.ofSuite()

    private func write(_ name: String, _ channels: [[Float]], rate: Int = 16_000) throws -> URL {
        let file = folder.url.appendingPathComponent(name)
        let frames = channels[0].indices.flatMap { frame in channels.map { $0[frame] } }
        try AudioFile.write(samples: frames, to: file, sampleRate: rate, channels: channels.count)
        return file
    }

    /// Square waves of 0.1, 0.2 and 0.3.
    private let tones: [[Float]] = [0.1, 0.2, 0.3].map { (level: Float) -> [Float] in
        (0..<4000).map { (place: Int) -> Float in place % 50 < 25 ? level : -level }
    }

    @Test func aChannelOfAWAVFileIsReadAlone() throws {
        let file = try write("three.wav", tones)
        for channel in tones.indices {
            let audio = try AudioFile.open(file, format: nil, channel: channel)
            #expect(try audio.channelCount() == 3)
            let samples = try readAll(audio)
            #expect(samples.count == 4000)
            #expect(zip(samples, tones[channel]).allSatisfy { abs($0 - $1) < 0.0001 })
        }
        let error = #expect(throws: StenoError.self) { try AudioFile.open(file, format: nil, channel: 3) }
        #expect(error?.code == .invalidOption && error?.message.contains("no channel 4: it has 3") == true)
    }

    @Test(.needsFFmpeg) func aChannelOfAnotherFormatIsReadByFFmpeg() async throws {
        let file = try write("two.wav", [TestAudio.tones(), TestAudio.tones().reversed()], rate: 16_000)
        let flac = folder.url.appendingPathComponent("two.flac")
        try await runFFmpeg(["-i", file.path, "file:" + flac.path])
        for channel in 0..<2 {
            let audio = try AudioFile.open(flac, format: nil, channel: channel)
            #expect(try audio.channelCount() == 2)
            let wanted = try readAll(AudioFile.open(file, format: nil, channel: channel))
            #expect(try readAll(audio) == wanted)
            #expect(try audio.rewind())
        }
        expectError(says: "no channel 3: it has 2") { try readAll(AudioFile.open(flac, format: nil, channel: 2)) }
    }

    /// The transcript of a recording whose channels are opened one by one.
    private func transcript(
        _ transcriber: Transcriber, _ options: TranscriptionOptions = TranscriptionOptions(),
        onProgress: @escaping @Sendable (TranscriptionProgressEvent) -> Void = { _ in },
        from open: @escaping @Sendable (Int) throws -> AudioFile
    ) async throws -> Transcript {
        let results = Recorder<FedResult>()
        let recording = ArrayFeed([{ try open(0) }], options)
        try await transcriber.transcribe(recording, options: options, channels: { try open($1) }) { _, event in
            switch event {
            case .progress(let event): onProgress(event)
            case .result(let result): results.add(result)
            }
        }
        return try #require(results.all.first).transcript.get()
    }

    /// Measuring the channels reads and decodes the whole recording.
    @Test func aCallThatWaitsForItsTurnReadsNothing() async throws {
        let (loud, quiet) = ([Float](repeating: 0.1, count: 16_000), [Float](repeating: 0, count: 16_000))
        let file = try write("turns.wav", [loud + quiet, quiet + loud])
        let transcriber = Transcriber(model: SecondFamilyModel(), maximumConcurrentCalls: 1)
        let opened = Recorder<Int>()
        try await transcriber.limit.acquire()
        let call = Task {
            try await transcript(transcriber) { channel in
                opened.add(channel)
                return try AudioFile.open(file, format: nil, channel: channel)
            }
        }
        try await waitWhile(transcriber.limit.waitingCount == 0)
        #expect(opened.all.isEmpty)
        transcriber.limit.release()
        #expect(try await call.value.segments.map(\.speaker) == ["Channel 1", "Channel 2"])
    }

    @Test func aChannelThatFailsStopsTheOthers() async throws {
        let file = try write("three.wav", tones.map { $0 + $0 + $0 + $0 })
        let opened = Recorder<Int>()
        let error = await #expect(throws: StenoError.self) {
            try await transcript(Transcriber(model: SecondFamilyModel())) { channel in
                opened.add(channel)
                // Each channel is opened once to measure it, and again to decode it.
                guard channel != 1 || opened.all.count(where: { $0 == 1 }) < 2 else {
                    throw StenoError(.audioDamaged, "Cut.")
                }
                return try AudioFile.open(file, format: nil, channel: channel)
            }
        }
        #expect(error?.message == "Cut." && opened.all == [0, 1, 2, 0, 1])
    }

    @Test func theEnvelopeIsThePowerOfWholeFrames() throws {
        var envelope = ChannelEnvelope()
        try envelope.add(ArraySampleSource([Float](repeating: 0.5, count: 1000)))
        #expect(envelope.powers == [Float](repeating: 0.25, count: 6))
        var inPieces = ChannelEnvelope()
        for piece in [7, 100, 893] { inPieces.add([Float](repeating: 0.5, count: piece)) }
        #expect(inPieces.powers == envelope.powers)
    }

    /// A call whose sides hear each other: the bundled model hears every sentence in both.
    @Test(arguments: isLong ? [-3.0, -10, -20] : [-3]) func aCallIsTranscribedByChannel(decibels: Double) async throws {
        let speech = try ["tomorrow", "norway"].map { try readAll(AudioFile.open(Fixtures.file("sounds/\($0).wav"))) }
        let (first, second) = (speech[0], speech[1])
        let left = first + [Float](repeating: 0, count: second.count)
        let right = [Float](repeating: 0, count: first.count) + second
        let gain = Float(pow(10, decibels / 20))
        let mixed = [(left, right), (right, left)].map { (own: [Float], other: [Float]) -> [Float] in
            own.indices.map { (place: Int) -> Float in 0.6 * (own[place] + gain * other[place]) }
        }
        let file = try write("call.wav", mixed)
        let transcriber = try await Transcriber.load(.bundled)
        var options = TranscriptionOptions(language: "en")
        (options.whisper.beamSize, options.whisper.temperatures) = (1, [0])
        options.whisper.voiceActivity = VoiceActivityOptions()
        let events = Recorder<TranscriptionProgressEvent>()
        let transcript = try await transcript(transcriber, options, onProgress: { events.add($0) }) {
            try AudioFile.open(file, format: nil, channel: $0)
        }
        #expect(transcript.segments.map(\.speaker) == ["Channel 1", "Channel 2"])
        #expect(transcript.segments.first?.text == " Tomorrow is Friday.")
        #expect(transcript.segments.last?.text.contains("Norway") == true)
        #expect(transcript.segments.allSatisfy { $0.words == nil })
        let places = events.all.compactMap { event in
            if case .progress(let processed, _) = event { processed } else { nil }
        }
        #expect(places == places.sorted() && abs((places.last ?? 0) - transcript.duration) < 0.1)
    }
}

/// Recordings whose channels a model takes one by one.
@Suite struct ChannelFeedTests {
    private let folder = TemporaryFolder.ofSuite()
    private var stereo: URL { folder.url.appendingPathComponent("stereo.wav") }

    init() throws {
        try AudioFile.write(samples: (0..<3200).map { $0 % 2 == 0 ? 0.1 : 0.2 }, to: stereo, channels: 2)
    }

    /// Results in order, with the numbers of their recordings.
    private var results: [(number: Int, result: FedResult)] { recorder.all.map { ($0.0, $0.1) } }
    private let recorder = Recorder<(Int, FedResult)>()

    /// A feed of recordings, of which one may be a missing file.
    private func feed(count: Int, missing: Int? = nil) -> ChannelFeed {
        let nowhere = folder.url.appendingPathComponent("missing.wav")
        let recordings = (0..<count).map { _ in
            { () throws -> any SampleSource in throw StenoError(.audioNotFound, "Only its channels are opened.") }
        }
        return ChannelFeed(
            ArrayFeed(recordings, TranscriptionOptions()),
            open: { [stereo] in try AudioFile.open($0 == missing ? nowhere : stereo, format: nil, channel: $1) },
            onEvent: { [recorder] in if let result = $1.result { recorder.add(($0, result)) } })
    }

    /// A model's result for a channel: a word at some time.
    private func result(_ text: String, at start: Double) -> RecordingEvent {
        let word = Word(rawText: " " + text, start: start, end: start + 0.02, probability: 1)
        let segment = Segment(id: 0, start: start, end: start + 0.02, text: " " + text, words: [word])
        return .result(
            FedResult(.success(Transcript(language: "en", duration: 0.1, segments: [segment])), seconds: 0.5))
    }

    @Test func channelsOfARecordingAreOneResult() throws {
        let feed = feed(count: 2)
        let channels = try (0..<4).map { _ in try #require(try feed.next(waits: true)) }
        #expect(try feed.next(waits: true) == nil)
        #expect(channels.allSatisfy { $0.options.wordTimestamps })
        for (channel, level) in zip(channels, [0.1, 0.2] as [Float]) {
            #expect(try readAll(channel.open()).allSatisfy { abs($0 - level) < 0.001 })
        }
        // They end in any order.
        feed.take(channels[3].number, result("four", at: 0.05))
        feed.take(channels[1].number, result("two", at: 0.05))
        #expect(results.isEmpty)
        feed.take(channels[0].number, result("one", at: 0))
        feed.take(channels[2].number, result("three", at: 0))
        #expect(results.map(\.number) == [0, 1])
        let segments = try results.map { try $0.result.transcript.get().segments }
        #expect(segments.map { $0.map(\.text) } == [[" one", " two"], [" three", " four"]])
        #expect(segments.allSatisfy { $0.map(\.speaker) == ["Channel 1", "Channel 2"] })
        #expect(segments.joined().allSatisfy { $0.words == nil })
        #expect(results.allSatisfy { $0.result.seconds >= 1 })
    }

    @Test func aRecordingThatFailsIsOneErrorAndTheOthersContinue() throws {
        let feed = feed(count: 3, missing: 0)
        let first = try #require(try feed.next(waits: true))
        #expect(results.map(\.number) == [0])
        feed.take(first.number, .result(FedResult(.failure(StenoError(.audioDamaged, "Damaged.")), seconds: 0.1)))
        #expect(results.map(\.number) == [0, 1])
        let codes = results.map {
            if case .failure(let error as StenoError) = $0.result.transcript {
                error.code
            } else {
                StenoError.Code.noSpeech
            }
        }
        #expect(codes == [.audioNotFound, .audioDamaged])
        // The other channel of what failed is not decoded; those of the next recording are.
        for index in 0..<2 {
            let channel = try #require(try feed.next(waits: true))
            feed.take(channel.number, result("text", at: 0.05 * Double(index)))
        }
        #expect(results.map(\.number) == [0, 1, 2] && (try? results[2].result.transcript.get()) != nil)
        #expect(try feed.next(waits: true) == nil)
    }
}
