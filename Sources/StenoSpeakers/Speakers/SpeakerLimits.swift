import StenoCore

/// When two groups of windows are one voice: thresholds measured with the bundled encoder.
///
/// The halves into which spectral bisection divides the speech of one voice have a cosine of 0.91 to 0.98 when each has
/// ten windows or more; two different voices had at most 0.85. With few windows both vary more, so little speech has to
/// differ more to count as another voice (`Documentation/Project/Accuracy.md` has the figures).
package struct SpeakerLimits: Sendable, Hashable {
    /// The minimum cosine of the means at which two large groups are one voice.
    package var sameVoice: Float = 0.885
    /// How much this minimum is lowered for a group of one second.
    package var allowancePerSecond: Float = 0.228
    /// The lowest value of the minimum.
    package var lowest: Float = 0.79
    /// How much the minimum is raised for two large groups that take turns, as two people do, so that similar voices
    /// stay separate.
    package var allowanceForTurns: Float = 0.015
    /// How much more often than by chance a window and the second one after it are in the same group when two people
    /// take turns: 0 is chance, 1 is always.
    ///
    /// The halves of one voice had at most 0.37, those of two voices 0.54 to 1.
    package var turns = 0.5
    /// The minimum speech of a separate voice, in seconds, unless there is little speech altogether.
    package var shortestVoice = 3.2
    /// A window whose two best voices differ by less takes the voice of its neighbours.
    package var doubt: Float = 0.02

    /// The limits of the bundled encoder.
    package init() {}

    /// The limits while audio arrives.
    ///
    /// Two windows make a new voice, which is corrected if it turns out not to be one; they must differ more from all
    /// other voices, because there is often little audio of those yet.
    package static let live: SpeakerLimits = {
        var limits = SpeakerLimits()
        limits.lowest = 0.74
        limits.shortestVoice = 1.6
        return limits
    }()

    /// The minimum cosine at which two groups are one voice, if the smaller has this much speech.
    package func sameVoice(seconds: Double) -> Float {
        max(lowest, sameVoice - allowancePerSecond / Float(max(seconds, 0.1)))
    }
}
