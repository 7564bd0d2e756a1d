/// How ``OverlapDiarizer`` finds speakers: chosen on conversations of real readers who are not in those of the reported
/// errors (`Tools/speakers`).
///
/// A frame is 16.9 ms.
package struct OverlapSettings: Sendable, Hashable {
    /// Frames from one window to the next: 2 s.
    package var step = 118
    /// A local speaker who speaks alone in fewer frames has no voice in the window.
    package var leastAlone = 20
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
    /// A pause of one speaker of fewer frames does not end the turn.
    package var pause = 18
    /// The maximum number of voices that are compared with each other; the work grows with its square.
    package var mostCompared = 2000

    package init() {}
}
