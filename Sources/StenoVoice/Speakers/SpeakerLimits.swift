import StenoCore

/// When two groups of windows are one voice: thresholds measured with the bundled encoder.
///
/// The halves into which spectral bisection divides the speech of one voice have a cosine of 0.91 to 0.98 when each has
/// ten windows or more; two different voices had at most 0.85. With few windows both vary more, so little speech has to
/// differ more to count as another voice (`Documentation/Speakers.md` has the figures).
package struct SpeakerLimits: Sendable, Hashable {
    /// The cosine of the means of two large groups from which they are one voice.
    package var sameVoice: Float = 0.885
    /// What that is lowered by for a group of one second.
    package var allowancePerSecond: Float = 0.228
    /// The lowest it becomes.
    package var lowest: Float = 0.79
    /// The seconds of speech that make a voice of its own, unless there is little speech altogether.
    package var shortestVoice = 3.2
    /// A window whose two best voices differ by less takes the voice of its neighbours.
    package var doubt: Float = 0.02

    /// The limits of the bundled encoder.
    package init() {}

    /// The cosine from which two groups are one voice, of which the smaller has this much speech.
    package func sameVoice(seconds: Double) -> Float {
        max(lowest, sameVoice - allowancePerSecond / Float(max(seconds, 0.1)))
    }
}
