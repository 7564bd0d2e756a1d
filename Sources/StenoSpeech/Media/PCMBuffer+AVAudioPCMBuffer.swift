#if !canImport(AVFoundation)
    package import Steno

    // On Apple platforms Steno itself has this initialiser.
    extension PCMBuffer {
        /// Copies the frames of a buffer up to its `frameLength`.
        package init(_ buffer: AVAudioPCMBuffer, startTime: CMTime? = nil) throws {
            let time = startTime.flatMap { AudioTime($0) }
            if let channels = buffer.floatChannelData {
                try self.init(buffer, channels, time)
            } else if let channels = buffer.int16ChannelData {
                try self.init(buffer, channels, time)
            } else if let channels = buffer.int32ChannelData {
                try self.init(buffer, channels, time)
            } else {
                throw SFSpeechError(
                    .unexpectedAudioFormat,
                    "Samples in the format \(buffer.format) cannot be read. "
                        + "Use Float32 or Int16.")
            }
        }

        private init<Sample: AudioSample>(
            _ buffer: AVAudioPCMBuffer, _ channels: UnsafePointer<UnsafeMutablePointer<Sample>>,
            _ startTime: AudioTime?
        ) throws {
            guard let sampleRate = Int(exactly: buffer.format.sampleRate.rounded()) else {
                throw SFSpeechError(
                    .unexpectedAudioFormat,
                    "\(buffer.format.sampleRate) is not a sample rate. Check "
                        + "the format of the audio.")
            }
            let channelCount = Int(buffer.format.channelCount)
            var interleaved: [Sample] = []
            interleaved.reserveCapacity(Int(buffer.frameLength) * channelCount)
            for frame in 0..<Int(buffer.frameLength) {
                for channel in 0..<channelCount { interleaved.append(channels[channel][frame * buffer.stride]) }
            }
            try self.init(interleaved, sampleRate: sampleRate, channels: channelCount, startTime: startTime)
        }
    }
#endif
