import StenoCore

/// Says who speaks in each frame of a short window, among up to three local speakers who have no identity beyond it.
///
/// A network has working memory, so one thread uses it at a time.
package protocol LocalSpeakerNetwork: AnyObject {
    /// The log probabilities [windows, frames, 7] of the sets of local speakers (``Powerset``).
    ///
    /// - Parameter windows: Windows of one length, of at least one frame.
    func classes(of windows: [[Float]]) -> [Float]
}

/// Turns the speech of local speakers into embeddings, which say who they are.
package protocol LocalVoiceNetwork: AnyObject {
    /// The voices in each of some windows, of length 1; nil where there is too little audio.
    func voices(in windows: [LocalSpeech]) -> [[SpeakerEmbedding?]]
}

/// The speech in a window whose voices are to be found.
package struct LocalSpeech: Sendable {
    /// The audio of the window.
    package var samples: [Float]
    /// For each voice, the frames of the window to use.
    package var frames: [[Bool]]
}
