import StenoCore

/// Finds who speaks when in a recording, also where several people speak at once.
///
/// A network says for windows of 10 s who speaks in each frame, among up to three local speakers. Another one turns the
/// speech of each into an embedding, and at the end ``VoiceGrouping`` finds the speakers of the recording among them
/// (Bredin 2023, "pyannote.audio 2.1 speaker diarization pipeline"). ``SpeechEdges`` moves the ends of the
/// speech. It keeps the audio of some windows, and about 7 MB for an hour.
package final class OverlapDiarizer: RecordingDiarizer {
    /// Windows that the segmentation computes at once.
    static let batch = 4
    /// Shorter recordings are padded with silence.
    private static let leastFrames = 60

    private let networks: WindowNetworks
    private var settings: OverlapSettings { networks.settings }
    /// The audio from `audioStart` on.
    private var audio: [Float] = []
    private var audioStart = 0
    /// The first frame of the next window.
    private var next = 0
    private var pending: [WindowNetworks.Window] = []
    private var heard: HeardSpeech

    /// Creates a diarizer at the start of a recording.
    ///
    /// - Parameters:
    ///   - segmentation: The network that says who speaks, for this diarizer only.
    ///   - embedding: The network that compares voices, for this diarizer only.
    package init(
        segmentation: any LocalSpeakerNetwork, embedding: any LocalVoiceNetwork,
        settings: OverlapSettings = OverlapSettings()
    ) {
        networks = WindowNetworks(segmentation: segmentation, embedding: embedding, settings: settings)
        heard = HeardSpeech(moments: VoiceMoments(step: settings.momentStep))
    }

    /// The samples that are kept.
    var keptSamples: Int { audio.count + pending.reduce(0) { $0 + $1.samples.count } }

    package func append(_ samples: UnsafeBufferPointer<Float>) {
        // In pieces, so that a long block is not buffered as a whole.
        for start in stride(from: 0, to: samples.count, by: 16_384) {
            let piece = samples[start..<min(start + 16_384, samples.count)]
            audio.append(contentsOf: piece.lazy.map { $0.isFinite ? $0 : 0 })
            heard.levels.append(audio.suffix(piece.count))
            takeWindows()
        }
    }

    package func finish(counts: ClosedRange<Int>? = nil) -> Diarization {
        takeLastWindow()
        flush(isEnd: true)
        heard.levels.finish(frames: heard.windows.last.map { $0.first + $0.count } ?? 0)
        heard.sampleCount = audioStart + audio.count
        return Diarization(heard, counts: counts, settings: settings)
    }

    private func takeWindows() {
        let step = SegmentationModel.frameStep
        while audioStart + audio.count >= next * step + SegmentationModel.windowSamples {
            take(next, SegmentationModel.windowSamples)
            next += settings.step
        }
        // The last window may begin anywhere after the latest one. Only rarely, because this moves the rest.
        let unused = (next - settings.step) * step - audioStart
        guard unused > SegmentationModel.windowSamples else { return }
        audio.removeFirst(unused)
        audioStart += unused
    }

    /// Takes the window that ends with the recording, unless another one does.
    private func takeLastWindow() {
        let count = audioStart + audio.count
        guard count > 0 else { return }
        let (step, length) = (SegmentationModel.frameStep, SegmentationModel.frameLength)
        let frames = max(Self.leastFrames, (max(count - length, 0) + step - 1) / step + 1)
        guard next > 0 else { return take(0, length + step * (min(frames, SegmentationModel.framesPerWindow) - 1)) }
        let first = frames - SegmentationModel.framesPerWindow
        guard first > next - settings.step else { return }
        take(first, length + step * (SegmentationModel.framesPerWindow - 1))
    }

    private func take(_ first: Int, _ length: Int) {
        let start = first * SegmentationModel.frameStep - audioStart
        var samples = Array(audio[start..<min(start + length, audio.count)])
        samples += [Float](repeating: 0, count: length - samples.count)
        // One window is always left, so that the last one is known.
        if let last = pending.last, last.samples.count != length || pending.count == Self.batch { flush() }
        pending.append((first, samples))
    }

    /// Computes the pending windows.
    ///
    /// - Parameter isEnd: Whether the latest is the last of the recording.
    private func flush(isEnd: Bool = false) {
        guard !pending.isEmpty else { return }
        let last = pending.count - 1
        let found = networks.hear(pending, numberedFrom: heard.windows.count, moments: &heard.moments) {
            index, activity in
            // The moments in the middle of the window; those of the last one to its end.
            if isEnd && index == last { return activity.first + activity.count }
            return activity.first + (SegmentationModel.framesPerWindow + settings.step) / 2
        }
        for (activity, voices) in found {
            heard.windows.append(activity)
            heard.voices += voices
        }
        pending.removeAll(keepingCapacity: true)
    }
}
