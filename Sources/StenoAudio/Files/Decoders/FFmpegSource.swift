import StenoCore

#if os(Linux) || os(macOS)
    import Foundation

    /// Audio in any format ffmpeg knows, decoded while it is read.
    ///
    /// ffmpeg also mixes, resamples and quantises to 16 bits, as faster-whisper's decoder (PyAV, the same libraries)
    /// does, so that a model gets the same samples from both.
    final class FFmpegSource: SampleSource {
        private enum State {
            case idle
            case running(PipedProcess, FFmpegMessages, PCMStream)
            case ended
            case failed(any Error)
        }

        private(set) var warnings: [TranscriptionWarning] = []

        private let ffmpeg: FFmpeg
        private let input: FFmpegInput
        private let head: ContentHead
        /// The track to decode, counted from 1; nil is the default one.
        private let track: Int?
        /// The only channel to read, counted from 0; nil averages all.
        private let channel: Int?
        /// The header, read when it is first needed.
        private var header: FFmpegLog?
        private var state = State.idle
        private var sampleCount = 0

        init(_ ffmpeg: FFmpeg, _ input: FFmpegInput, head: ContentHead, track: Int?, channel: Int? = nil) {
            (self.ffmpeg, self.input, self.head, self.track, self.channel) = (ffmpeg, input, head, track, channel)
        }

        deinit {
            // Otherwise the pump would keep waiting for a silent pipe.
            input.interruption.interrupt()
        }

        func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
            guard !buffer.isEmpty else { return 0 }
            do {
                let count = try next(into: buffer)
                sampleCount += count
                return count
            } catch {
                // Releasing the process ends it.
                state = .failed(error)
                throw error
            }
        }

        private func next(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
            switch state {
            case .idle:
                state = try start()
                return try next(into: buffer)
            case .running(let process, let messages, let samples):
                let count = try samples.read(into: buffer)
                if count > 0 { return count }
                try check(process.waitForEnding(), messages)
                warnings = warnings(messages.log)
                state = .ended
                return 0
            case .ended: return 0
            case .failed(let error): throw error
            }
        }

        func rewind() throws -> Bool {
            guard input.canRestart else { return false }
            state = .idle
            sampleCount = 0
            return true
        }

        /// The length in seconds according to the header; nil if the header lacks it, or for a pipe.
        ///
        /// - Throws: The error that the first `read` would throw.
        func headerDuration() throws -> Double? {
            guard input.canRestart else { return nil }
            return try readHeader().expectedDuration
        }

        private func start() throws -> State {
            let track = try chooseTrack()
            let messages = FFmpegMessages()
            if let channel { return try start(channel, track, messages) }
            let process = try run(
                FFmpeg.arguments(input: input.argument, protocols: input.protocols, track: track), messages)
            let format = try PCMFormat(.int16, sampleRate: AudioFile.sampleRate)
            return .running(process, messages, PCMStream(reader(process), format: format, byteCount: nil))
        }

        private func start(_ channel: Int, _ track: Int, _ messages: FFmpegMessages) throws -> State {
            let process = try run(
                FFmpeg.channelArguments(input: input.argument, protocols: input.protocols, track: track), messages)
            let bytes = reader(process)
            let head = try bytes.read(upTo: WAVHeader.magicLength)
            guard WAVHeader.isWAV(head) else {
                try check(process.waitForEnding(), messages)
                throw StenoError(
                    .audioDamaged,
                    "\(input.name) has no audio that ffmpeg can decode. Check that the file is complete.")
            }
            let format = try WAVHeader(after: head, from: bytes).format
            try format.checkChannel(channel, of: input.name)
            return .running(process, messages, PCMStream(bytes, format: format, byteCount: nil, channel: channel))
        }

        /// The number of channels of a source that reads only one; starts decoding.
        func channelCount() throws -> Int {
            if case .idle = state { state = try start() }
            guard case .running(_, _, let samples) = state else { return 1 }
            return samples.channelCount
        }

        private func run(_ arguments: [String], _ messages: FFmpegMessages) throws -> PipedProcess {
            try PipedProcess(
                ffmpeg.path, arguments: arguments, input: input.openStandardInput(), onMessage: { messages.add($0) })
        }

        private func reader(_ process: PipedProcess) -> ByteReader {
            ByteReader(process.output, name: "The output of ffmpeg", interruption: input.interruption)
        }

        /// The track to decode, counted from 0.
        private func chooseTrack() throws -> Int {
            // A pipe can be read only once, so its tracks are not known in advance.
            guard input.canRestart, track != nil || head.mayHoldTracks else { return (track ?? 1) - 1 }
            let header = try readHeader()
            guard let track else { return header.defaultTrack }
            guard (1...max(1, header.audioTracks.count)).contains(track) else { throw noTrack(track, header) }
            return track - 1
        }

        private func noTrack(_ track: Int, _ log: FFmpegLog) -> StenoError {
            let count = log.audioTracks.count
            return StenoError(
                .invalidOption,
                "\(input.name) has no audio track \(track): it has \(count == 1 ? "one" : "\(count)").")
        }

        /// Runs ffmpeg without an output, so that it only describes the input.
        private func readHeader() throws -> FFmpegLog {
            if let header { return header }
            let messages = FFmpegMessages()
            let process = try run(FFmpeg.headerArguments(input: input.argument, protocols: input.protocols), messages)
            // ffmpeg writes nothing. Waiting for the end of its output can be interrupted, unlike waiting for the
            // process.
            _ = try reader(process).read(upTo: 1)
            let ending = process.waitForEnding()
            let log = messages.log
            if !log.isRecognised { try check(ending, messages) }
            header = log
            return log
        }

        // MARK: Errors and warnings

        private func check(_ ending: PipedProcess.Ending, _ messages: FFmpegMessages) throws {
            switch ending {
            case .success: return
            case .failure(let text): throw failure(messages.log, text)
            case .unknown:
                // Its output was read to the end; without any, its messages tell whether the input has audio.
                let log = messages.log
                try ensure(
                    sampleCount > 0 || log.isRecognised && log.errors.isEmpty && !log.audioTracks.isEmpty,
                    or: failure(log, "Its exit status is unknown."))
            case .notStarted(let error):
                throw StenoError(
                    .decoderMissing, "ffmpeg (\(ffmpeg.path)) could not be run: \(error)", underlying: error)
            }
        }

        private func failure(_ log: FFmpegLog, _ text: String) -> StenoError {
            let name = input.name
            if let format = log.refusedFormat { return Playlist.refusal(name, format: format) }
            if log.isRecognised, log.audioTracks.isEmpty {
                return StenoError(
                    .notAudio,
                    "\(name) is a \(log.hasVideo ? "video" : "file") without audio. Choose another file.")
            }
            if let track, log.isRecognised, track > log.audioTracks.count { return noTrack(track, log) }
            if log.isCutOff, log.audioTracks.isEmpty {
                return StenoError(
                    .audioDamaged,
                    "\(name) is incomplete: the index at its end is missing. Copy or download the whole file again.")
            }
            let reason = log.errors.isEmpty ? text : log.errors.joined(separator: "\n")
            guard log.isRecognised || head.isAudio else {
                let what = head.isText ? "is text, not a recording" : "has no audio format that ffmpeg knows"
                return StenoError(.notAudio, "\(name) \(what). Name an audio or video file.\nffmpeg: \(reason)")
            }
            let hint = input.canRestart ? "" : "\nSome formats cannot be read from a pipe; save it and name the file."
            return StenoError(.audioDamaged, "ffmpeg could not decode \(name):\n\(reason)\(hint)")
        }

        /// At most one warning: a missing end also explains an error in the last packet.
        private func warnings(_ log: FFmpegLog) -> [TranscriptionWarning] {
            let seconds = Double(sampleCount) / Double(AudioFile.sampleRate)
            if let expected = log.expectedDuration, seconds + max(0.5, expected / 100) < expected {
                return [.truncated(input.name, seconds: seconds, expected: expected)]
            }
            if log.isCutOff || head.isCutOff { return [.truncated(input.name, seconds: seconds, expected: nil)] }
            guard log.damagedPackets > 0 else { return [] }
            return [
                TranscriptionWarning(
                    .audioDamaged,
                    "\(input.name) is damaged or cut off: what could not be decoded is missing in the transcript "
                        + "(packets: \(log.damagedPackets)).")
            ]
        }
    }
#endif
