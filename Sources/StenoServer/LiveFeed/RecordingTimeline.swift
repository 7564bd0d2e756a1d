#if Server
    import Steno

    /// Where the audio of a session stands in the recording that is kept of it.
    ///
    /// A client numbers its samples as it likes, and the recorder fills a gap of up to ``LiveRecorder/longestSilence``
    /// with silence: a message of ten bytes would write a megabyte. Live audio that is missing was spoken while the
    /// session ran, so the silence may add up to the time that has passed, as if the client had sent it; a recording
    /// then grows no faster than real time. Gaps beyond that are left out, like those that are too long for the
    /// recorder: the session continues with its text, and what follows is earlier in the recording.
    struct RecordingTimeline: Sendable {
        /// The position after the last sample, as the client counts.
        private var end = 0
        /// The samples of the gaps that were left out here.
        private var omitted = 0
        /// The samples of the gaps that become silence.
        private var silence = 0

        /// The audio as the recorder is to take it; nil when it has all of it already.
        ///
        /// - Parameter elapsed: The seconds since the session began. One gap of full length may be ahead of them, since a
        ///   client begins with audio from before its connection, and its clock is not the server's.
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
