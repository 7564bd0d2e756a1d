import StenoCore

#if os(Linux) || os(macOS)
    import Foundation

    /// Audio in any format ffmpeg knows, decoded while it is read.
    ///
    /// ffmpeg also mixes, resamples and quantises to 16 bits, as faster-whisper's decoder (PyAV, the same libraries)
    /// does, so that both models get the same samples.
    final class FFmpegSource: SampleSource {
        private enum State {
            case idle
            case running(PipedProcess, PCMStream)
            case ended
            case failed(any Error)
        }

        private let ffmpeg: FFmpeg
        private let input: FFmpegInput
        private var state = State.idle

        init(_ ffmpeg: FFmpeg, _ input: FFmpegInput) {
            self.ffmpeg = ffmpeg
            self.input = input
        }

        deinit {
            // Otherwise the pump would keep waiting for a silent pipe.
            input.interruption.interrupt()
        }

        func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
            guard !buffer.isEmpty else { return 0 }
            do {
                return try next(into: buffer)
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
            case .running(let process, let samples):
                let count = try samples.read(into: buffer)
                if count > 0 { return count }
                try check(process.waitForEnding())
                state = .ended
                return 0
            case .ended:
                return 0
            case .failed(let error):
                throw error
            }
        }

        func rewind() throws -> Bool {
            guard input.canRestart else { return false }
            state = .idle
            return true
        }

        private func start() throws -> State {
            let process = try PipedProcess(
                ffmpeg.path, arguments: FFmpeg.arguments(input: input.argument, protocols: input.protocols),
                input: input.openStandardInput())
            let bytes = ByteReader(process.output, name: "The output of ffmpeg", interruption: input.interruption)
            let format = try PCMFormat(.int16, sampleRate: AudioFile.sampleRate)
            return .running(process, PCMStream(bytes, format: format, byteCount: nil))
        }

        private func check(_ ending: PipedProcess.Ending) throws {
            switch ending {
            case .success:
                return
            case .failure(let text):
                if let format = FFmpeg.refusedFormat(text) {
                    throw StenoError(.audioDamaged, Playlist.refusal(input.name, format: format))
                }
                let hint =
                    input.canRestart ? "" : "\nSome formats cannot be read from a pipe; save it and name the file."
                throw StenoError(.audioDamaged, "ffmpeg could not decode \(input.name):\n\(text)\(hint)")
            case .notStarted(let error):
                throw StenoError(
                    .decoderMissing, "ffmpeg (\(ffmpeg.path)) could not be run: \(error)", underlying: error)
            }
        }
    }
#endif
