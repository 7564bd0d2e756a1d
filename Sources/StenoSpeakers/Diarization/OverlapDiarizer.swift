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
    private var audio: [Float] = []
    private var audioStart = 0
    /// The first frame of the next window.
    private var next = 0
    private var pending: [WindowNetworks.Window] = []
    private var heard: HeardSpeech

    /// Each of the networks is for this diarizer only.
    package init(
        segmentation: any LocalSpeakerNetwork, embedding: any LocalVoiceNetwork,
        settings: OverlapSettings = OverlapSettings()
    ) {
        networks = WindowNetworks(segmentation: segmentation, embedding: embedding, settings: settings)
        heard = HeardSpeech(moments: VoiceMoments(step: settings.momentStep))
    }

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

    /// - Parameter isEnd: Whether the latest window is the last of the recording.
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

/// How ``OverlapDiarizer`` finds speakers: chosen on conversations of real readers who are not in those of the reported
/// errors (`Tools/speakers`).
///
/// A frame is 16.9 ms.
package struct OverlapSettings: Sendable, Hashable {
    /// Frames from one window to the next: 2 s.
    package var step = 118
    /// A local speaker who speaks alone in fewer frames has no voice in the window.
    package var leastAlone = 20
    /// The voice of one who speaks alone in more frames comes from this many of them: 3 s.
    ///
    /// More did not make the errors smaller.
    package var mostAlone = 178
    /// One who speaks alone in fewer frames does not define a speaker.
    package var leastToDefine = 60
    /// The mean distance from which two groups of voices are different speakers.
    package var sameVoice: Float = 0.5
    /// How much further apart are groups that always speak in the same windows.
    package var sameWindow: Float = 0.5
    /// The distance of the means up to which two groups are one person, whatever their windows.
    package var samePerson: Float = 0.25
    /// What it costs, in similarity, to give two local speakers of a window the same speaker.
    package var sharing: Float = 0.3
    /// A group with a smaller share of the voices is not a speaker.
    package var leastShare = 0.05
    /// The number of voices that suffice whatever their share.
    package var enough = 12
    /// A group with fewer is not a speaker in any case.
    package var leastVoices = 2
    /// Frames from one moment whose voice is compared to the next: 1 s.
    package var momentStep = 59
    /// Frames on either side that belong to a moment: 0.75 s.
    package var momentReach = 44
    /// A moment with fewer frames of one speaker has no voice.
    package var leastInMoment = 36
    /// A speaker with fewer moments is none, if they are also less than this share.
    package var leastMoments = 3
    package var leastMomentShare = 0.05
    /// The weight of the similarity at a moment, where 1 is the likelihood of a local speaker.
    package var momentWeight: Float = 4
    /// A pause of one speaker of fewer frames does not end the turn: 0.3 s.
    package var pause = 18
    /// Frames on either side over which the power is averaged.
    package var smoothing = 4
    /// A turn is extended to what has more than this many times the power of the noise.
    package var rise = 2.0
    /// The frames by which it is extended at most: 0.4 s.
    package var reach = 24
    /// A pause has less than this many times the power of the noise.
    package var fall = 1.6
    /// What is too quiet to be speech beside the loudest sample nearby: −43 dB.
    package var faintest = 5e-5
    /// Nearby is within one to two times this number of frames: 1.7 to 3.4 s.
    package var nearFrames = 100
    /// The number of frames for which the noise is the same: a minute.
    package var noiseFrames = 3600
    /// The noise has at most this share of the power that is usual while someone speaks.
    package var leastContrast = 0.25
    /// The maximum number of voices that are compared with each other; the work grows with its square.
    package var mostCompared = 2000

    package init() {}

    /// Whether a voice comes from enough speech to define a speaker.
    func defines(_ voice: LocalVoice) -> Bool { voice.frames >= leastToDefine }

    var mostFrames: Int { max(mostAlone, 2 * momentReach + 1) }

    /// The settings while audio arrives: a window each second, and a voice is known after a few of them.
    ///
    /// A person's voices are further apart than in a recording: there are more of them, and older ones are forgotten.
    package static let live: OverlapSettings = {
        var settings = OverlapSettings()
        settings.step = 59
        settings.enough = 4
        settings.sameVoice = 0.56
        settings.samePerson = 0.3
        return settings
    }()
}
