#if Store
    import Steno
    import StenoCore

    extension Transcript {
        /// A stored session as a transcript, one segment for each utterance and speaker, with the edited texts.
        init(_ session: StoredSession, _ stored: [StoredSegment]) {
            var segments: [Segment] = []
            var utterance: Int?
            for segment in stored {
                let language = segment.language == session.language ? nil : segment.language
                for part in segment.bySpeaker {
                    if segment.utterance == utterance, let last = segments.indices.last,
                        segments[last].speaker == part.speaker
                    {
                        segments[last].append(part)
                    } else {
                        segments.append(part.numbered(segments.count, language))
                    }
                    utterance = segment.utterance
                }
            }
            self.init(language: session.language ?? "und", duration: session.duration, segments: segments)
        }
    }

    extension StoredSegment {
        /// The segment, split where the speaker changes, as in a live transcript.
        fileprivate var bySpeaker: [Segment] {
            guard editedText == nil else {
                // An edited text may not match the words, so where its speaker changes is unknown. Punctuation before
                // the first word belongs to the previous segment.
                let spoken: ArraySlice<Word> = words.drop { Word.key($0.rawText).isEmpty }
                let first = (spoken.isEmpty ? words[...] : spoken).lazy.compactMap(\.speaker).first
                return [Segment(id: 0, start: start, end: end, text: text, speaker: speaker ?? first)]
            }
            let whole = LiveSegment(
                id: id, start: start, end: end, text: text, isFinal: true, words: spokenWords, utterance: utterance)
            return whole.bySpeaker.map { part in
                Segment(
                    id: 0, start: part.start, end: part.end, text: part.text, words: part.words,
                    speaker: speaker ?? part.speaker)
            }
        }

        /// The words; a speaker set by hand applies to all of them.
        private var spokenWords: [Word] {
            guard let speaker else { return words }
            return words.map { $0.spoken(by: speaker) }
        }
    }

    extension Segment {
        /// Appends the next text by the same speaker in the same utterance.
        fileprivate mutating func append(_ part: Segment) {
            end = max(end, part.end)
            text += part.text
            words = words.flatMap { known in part.words.map { known.continued(by: $0) } }
        }

        fileprivate func numbered(_ number: Int, _ language: String?) -> Segment {
            var segment = self
            (segment.id, segment.language) = (number, language)
            return segment
        }
    }
#endif
