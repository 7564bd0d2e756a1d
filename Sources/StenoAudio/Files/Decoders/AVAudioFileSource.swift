#if canImport(AVFoundation)
    import AVFoundation
    import Foundation
    import StenoCore

    /// Audio in any format that the Apple platform decodes, decoded as it is read; the channels are averaged, unless
    /// one is chosen.
    final class AVAudioFileSource: NativeRateSource {
        let sampleRate: Int
        /// The length in seconds, according to the file.
        let duration: Double
        private let file: AVAudioFile
        private let chunk: AVAudioPCMBuffer
        private let name: String
        private let channel: Int?

        init(path: String, name: String, channel: Int? = nil) throws {
            (self.name, self.channel) = (name, channel)
            do {
                file = try AVAudioFile(
                    forReading: URL(fileURLWithPath: path), commonFormat: .pcmFormatFloat32, interleaved: false)
            } catch {
                throw StenoError(
                    .audioDamaged, "\(name) could not be decoded: \(error.localizedDescription)", underlying: error)
            }
            let rate = file.processingFormat.sampleRate
            guard let sampleRate = Int(exactly: rate.rounded()), PCMFormat.sampleRates.contains(sampleRate),
                let chunk = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 8192)
            else {
                throw StenoError(
                    .audioDamaged,
                    "\(name) claims a sample rate of \(rate) Hz, but it must be from 1000 to 768000 "
                        + "Hz. Convert the file to WAV.")
            }
            (self.sampleRate, self.chunk) = (sampleRate, chunk)
            duration = Double(file.length) / rate
        }

        /// The number of channels in the file, including those that are not read.
        var channelCount: Int { Int(chunk.format.channelCount) }

        func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
            // At the end AVAudioFile throws or reads nothing, depending on the version of the system.
            guard file.framePosition < file.length else { return 0 }
            let wanted = min(AVAudioFrameCount(clamping: buffer.count), chunk.frameCapacity)
            do {
                try file.read(into: chunk, frameCount: wanted)
            } catch {
                throw StenoError(
                    .audioDamaged, "\(name) could not be decoded: \(error.localizedDescription)", underlying: error)
            }
            mix(into: buffer)
            return Int(chunk.frameLength)
        }

        func rewind() -> Bool {
            file.framePosition = 0
            return true
        }

        private func mix(into buffer: UnsafeMutableBufferPointer<Float>) {
            guard let channels = chunk.floatChannelData else { return }
            let mixed = channel.map { $0..<($0 + 1) } ?? 0..<channelCount
            for frame in 0..<Int(chunk.frameLength) {
                buffer[frame] = PCMFormat.mean(of: mixed) { channels[$0][frame] }
            }
        }
    }
#endif
