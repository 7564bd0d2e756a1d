import StenoCore

/// When two groups of windows are one voice: thresholds measured with the bundled encoder.
///
/// The halves into which spectral bisection divides the speech of one voice have a cosine of 0.91 to 0.98 when each has
/// ten windows or more; two different voices had at most 0.85. With few windows both vary more, so little speech has to
/// differ more to count as another voice (`Documentation/Project/Accuracy.md` has the figures).
package struct SpeakerLimits: Sendable, Hashable {
    /// The cosine of the means of two large groups from which they are one voice.
    package var sameVoice: Float = 0.885
    /// What that is lowered by for a group of one second.
    package var allowancePerSecond: Float = 0.228
    /// The lowest it becomes.
    package var lowest: Float = 0.79
    /// How much it is raised for two large groups that take turns, as two people do, so that similar voices stay
    /// separate.
    package var allowanceForTurns: Float = 0.015
    /// How much more often than by chance a window is in the group of the second window after it when two people take
    /// turns: 0 is by chance, 1 always.
    ///
    /// The halves of one voice had at most 0.37, those of two voices 0.54 to 1.
    package var turns = 0.5
    /// The seconds of speech that make a voice of its own, unless there is little speech altogether.
    package var shortestVoice = 3.2
    /// A window whose two best voices differ by less takes the voice of its neighbours.
    package var doubt: Float = 0.02

    /// The limits of the bundled encoder.
    package init() {}

    /// The limits while audio arrives.
    ///
    /// A new voice is recognised from two windows, which are corrected if they turn out not to be a voice; two windows
    /// of a voice must differ more from all others, because there is often little audio of the others yet.
    package static let live: SpeakerLimits = {
        var limits = SpeakerLimits()
        limits.lowest = 0.74
        limits.shortestVoice = 1.6
        return limits
    }()

    /// The cosine from which two groups are one voice, of which the smaller has this much speech.
    package func sameVoice(seconds: Double) -> Float {
        max(lowest, sameVoice - allowancePerSecond / Float(max(seconds, 0.1)))
    }
}
