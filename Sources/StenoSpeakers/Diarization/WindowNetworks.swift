import StenoCore

/// The two networks on windows of a recording: who speaks in each, and with which voice.
struct WindowNetworks {
    let segmentation: any LocalSpeakerNetwork
    let embedding: any LocalVoiceNetwork
    let settings: OverlapSettings

    /// A window's samples and its first frame.
    typealias Window = (first: Int, samples: [Float])

    /// What the networks say about windows of equal length, in order.
    ///
    /// - Parameters:
    ///   - number: The number of the first window.
    ///   - moments: Receives the moments before the frames that `end` gives for each window.
    func hear(
        _ windows: [Window], numberedFrom number: Int, moments: inout VoiceMoments,
        upTo end: (_ window: Int, LocalActivity) -> Int
    ) -> [(activity: LocalActivity, voices: [LocalVoice])] {
        let classes = segmentation.classes(of: windows.map(\.samples))
        let length = classes.count / max(1, windows.count)
        let activities = windows.enumerated().map { index, window in
            LocalActivity(first: window.first, classes: Array(classes[index * length..<(index + 1) * length]))
        }
        let wanted = activities.enumerated().map { index, activity in
            local(activity) + at(moments.open(before: end(index, activity)), activity)
        }
        let found = embedding.voices(
            in: zip(windows, wanted).map { LocalSpeech(samples: $0.samples, frames: $1.map(\.frames)) })
        return activities.enumerated().map { index, activity in
            var voices: [LocalVoice] = []
            for (speaker, voice) in zip(wanted[index], found[index]) {
                guard let voice, voice.dot(voice).isFinite else { continue }
                switch speaker.kind {
                case .local(let local, let frames):
                    voices.append(
                        LocalVoice(window: number + index, speaker: local, frames: frames, embedding: voice))
                case .moment(let moment): moments.set(moment, voice)
                }
            }
            return (activity, voices)
        }
    }

    /// Whose voice is to be found.
    private struct Speaker {
        enum Kind {
            case local(Int, frames: Int)
            case moment(Int)
        }

        let kind: Kind
        /// The frames to use.
        let frames: [Bool]
    }

    /// The local speakers of a window who speak alone for long enough.
    private func local(_ activity: LocalActivity) -> [Speaker] {
        (0..<Powerset.speakers).compactMap { speaker in
            let count = activity.alone(speaker).count(where: \.self)
            guard count >= settings.leastAlone else { return nil }
            return Speaker(
                kind: .local(speaker, frames: count), frames: activity.alone(speaker, most: settings.mostAlone))
        }
    }

    /// The moments at which one person speaks.
    private func at(_ moments: Range<Int>, _ activity: LocalActivity) -> [Speaker] {
        moments.compactMap { moment in
            activity.single(
                around: moment * settings.momentStep - activity.first, reach: settings.momentReach,
                least: settings.leastInMoment
            ).map { Speaker(kind: .moment(moment), frames: $0) }
        }
    }
}
