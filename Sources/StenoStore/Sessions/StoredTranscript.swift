#if Store
    import Steno

    extension Transcript {
        /// A stored session as a transcript, one segment for each utterance, with the edited texts.
        init(_ session: StoredSession, _ stored: [StoredSegment]) {
            var segments: [Segment] = []
            var utterance: Int?
            for part in stored {
                // Words of an edited text would contradict it.
                let words = part.editedText == nil ? part.words : nil
                if part.utterance == utterance, let last = segments.indices.last {
                    segments[last].end = max(segments[last].end, part.end)
                    segments[last].text += part.text
                    segments[last].words = segments[last].words.flatMap { known in words.map { known + $0 } }
                } else {
                    let language = part.language == session.language ? nil : part.language
                    segments.append(
                        Segment(
                            id: segments.count, start: part.start, end: part.end, text: part.text, language: language,
                            words: words))
                }
                utterance = part.utterance
            }
            self.init(language: session.language ?? "und", duration: session.duration, segments: segments)
        }
    }
#endif
