#if !canImport(AVFoundation)
    public import Foundation
    import Steno

    /// A recording on disk, in any format that Steno reads: AVFoundation's API, for platforms without AVFoundation.
    ///
    ///     let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.flac"))
    ///     let end = try await analyzer.analyzeSequence(from: file)
    ///
    /// It is read in the format of the engine: 16 kHz, one channel of `Float` (``processingFormat``). Formats other
    /// than WAV need `ffmpeg`.
    public final class AVAudioFile {
        /// The location of the file.
        public let url: URL
        /// The format of the samples in a WAV file; for other files ``processingFormat``.
        public let fileFormat: AVAudioFormat
        /// The format of the samples from ``read(into:)``: 16 kHz, one channel of `Float`.
        public let processingFormat: AVAudioFormat
        /// The index of the next frame to read, at the rate of ``processingFormat``.
        public var framePosition: AVAudioFramePosition = 0

        private let audio: AudioFile
        /// The index of the frame that ``audio`` gives next.
        private var position = 0
        private var knownLength: Int?

        /// Opens a file.
        ///
        /// - Throws: ``SFSpeechError`` of code `audioReadFailed` if the file does not exist or is not audio.
        public init(forReading fileURL: URL) throws {
            do { audio = try AudioFile.open(fileURL) } catch { throw SFSpeechError(error) }
            guard let format = AVAudioFormat.engine else {
                throw SFSpeechError(.internalServiceError, "The engine has no audio format.")
            }
            url = fileURL
            processingFormat = format
            fileFormat = audio.format.flatMap(AVAudioFormat.init) ?? format
        }

        /// The number of frames at the rate of ``processingFormat``; 0 if the audio cannot be decoded.
        ///
        /// If the header lacks it (MP3, AAC), the first access decodes the whole file on the calling thread.
        public var length: AVAudioFramePosition {
            if knownLength == nil { knownLength = (try? measure()) ?? 0 }
            return AVAudioFramePosition(knownLength ?? 0)
        }

        /// Fills a buffer of ``processingFormat`` from ``framePosition`` on; its `frameLength` is 0 at the end.
        ///
        /// - Throws: ``SFSpeechError``: `unexpectedAudioFormat` for a buffer of another format, `audioReadFailed`.
        public func read(into buffer: AVAudioPCMBuffer) throws {
            try read(into: buffer, frameCount: buffer.frameCapacity)
        }

        /// Reads this many frames from ``framePosition`` on, or fewer at the end of the file or of the buffer.
        ///
        /// - Throws: As ``read(into:)``.
        public func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
            guard buffer.format == processingFormat, let channel = buffer.floatChannelData?[0] else {
                throw SFSpeechError(
                    .unexpectedAudioFormat,
                    "The file is read as \(processingFormat), not as \(buffer.format). Use a "
                        + "buffer of the file's processingFormat.")
            }
            let target = UnsafeMutableBufferPointer(start: channel, count: Int(min(frames, buffer.frameCapacity)))
            do {
                try seek()
                var filled = 0
                while filled < target.count {
                    let count = try audio.read(into: UnsafeMutableBufferPointer(rebasing: target[filled...]))
                    if count == 0 { break }
                    filled += count
                }
                position += filled
                framePosition = AVAudioFramePosition(position)
                buffer.frameLength = AVAudioFrameCount(filled)
            } catch { throw SFSpeechError(error) }
        }

        /// Seeks to ``framePosition``.
        private func seek() throws {
            let target = Int(max(0, framePosition))
            if target < position {
                guard try audio.rewind() else {
                    throw SFSpeechError(
                        .audioReadFailed, "“\(url.path)” can be read only once, from its start. Open it again.")
                }
                position = 0
            }
            try withUnsafeTemporaryAllocation(of: Float.self, capacity: 1 << 14) { skipped in
                while position < target {
                    let wanted = min(skipped.count, target - position)
                    let count = try audio.read(into: UnsafeMutableBufferPointer(rebasing: skipped[..<wanted]))
                    if count == 0 { break }
                    position += count
                }
            }
        }

        private func measure() throws -> Int {
            let rate = Double(AudioFile.sampleRate)
            // A last sample at another rate counts as a whole one; a rounding error of the seconds must not.
            if let seconds = audio.duration { return Int((seconds * rate - 1e-6).rounded(.up)) }
            let audio = try AudioFile.open(url)
            var count = 0
            return try withUnsafeTemporaryAllocation(of: Float.self, capacity: 1 << 14) { buffer in
                while case let more = try audio.read(into: buffer), more > 0 { count += more }
                return count
            }
        }
    }

    extension AVAudioFormat {
        /// The format of a file's samples; 8 and 24 bits, which have no common format, count as other formats.
        fileprivate convenience init?(_ format: PCMFormat) {
            let samples: AVAudioCommonFormat =
                switch format.encoding {
                case .int16: .pcmFormatInt16
                case .int32: .pcmFormatInt32
                case .float32: .pcmFormatFloat32
                case .float64: .pcmFormatFloat64
                case .uint8, .int24: .otherFormat
                }
            self.init(
                commonFormat: samples, sampleRate: Double(format.sampleRate),
                channels: AVAudioChannelCount(format.channels), interleaved: true)
        }
    }
#endif
