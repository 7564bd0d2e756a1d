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

    /// The most frames from which a voice is computed.
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
