#if Server
    import Steno

    /// Places the audio of a session in its saved recording.
    ///
    /// Clients number their samples as they like, and the recorder fills gaps of up to ``LiveRecorder/longestSilence``
    /// with silence: a message of ten bytes would write a megabyte. Missing live audio was spoken while the session
    /// ran, so the silence may add up to the time that has passed; a recording then grows no faster than real time.
    /// Other gaps are left out, like those that are too long for the recorder: the text continues, and later audio
    /// moves forward in the recording.
    struct RecordingTimeline: Sendable {
        /// The position after the last sample, as the client counts.
        private var end = 0
        /// The samples of the gaps that were left out here.
        private var omitted = 0
        /// The samples of the gaps that become silence.
        private var silence = 0

        /// The audio for the recorder; nil if it already has all of it.
        ///
        /// - Parameter elapsed: The seconds since the session began. One gap of full length may exceed them, because a
        ///   client begins with audio from before its connection, and clocks differ.
        mutating func place(_ chunk: AudioChunk, after elapsed: Double) -> AudioChunk? {
            let samples = chunk.samples.dropFirst(max(0, end - chunk.position))
            guard !samples.isEmpty else { return nil }
            let gap = max(0, chunk.position - end)
            // The recorder itself leaves out a longer one.
            if gap <= LiveRecorder.longestSilence.samples {
                let allowed = (elapsed + LiveRecorder.longestSilence).samples
                if silence + gap <= allowed { silence += gap } else { omitted += gap }
            }
            end = chunk.end
            return AudioChunk(position: end - samples.count - omitted, samples: Array(samples))
        }
    }
#endif
