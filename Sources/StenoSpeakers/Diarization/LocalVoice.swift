import StenoCore

/// A local speaker of a window, by voice.
struct LocalVoice {
    /// The number of the window.
    let window: Int
    /// The local speaker.
    let speaker: Int
    /// The number of frames from which the embedding was computed.
    let frames: Int
    /// The voice, of length 1.
    let embedding: SpeakerEmbedding

    /// The same voice of a window with another number.
    func moved(toWindow window: Int) -> LocalVoice {
        LocalVoice(window: window, speaker: speaker, frames: frames, embedding: embedding)
    }
}
