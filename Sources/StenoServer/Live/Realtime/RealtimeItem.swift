#if Server
    import Foundation
    import Steno
    import StenoCore

    /// One turn of a client's audio, from its beginning to its text.
    struct RealtimeItem: Sendable {
        let id: String
        /// Where its audio begins, in seconds of the session.
        let start: Double
        /// Where it ends; nil while the turn lasts.
        var end: Double?
        var text = ""
        var words: [Word] = []

        /// Adds final text; returns what it adds to the transcript.
        mutating func add(_ segment: LiveSegment) -> String {
            let delta = text.isEmpty ? String(segment.text.trimmingPrefix(" ")) : segment.text
            text += delta
            words += segment.words
            return delta
        }

        /// Adds punctuation to the last word.
        mutating func join(_ mark: String) {
            text += mark
            if let last = words.indices.last { words[last].rawText += mark }
        }

        var json: JSONValue {
            [
                "id": .string(id), "object": "realtime.item", "type": "message", "status": "completed", "role": "user",
                "content": [["type": "input_audio", "transcript": nil]],
            ]
        }
    }

    extension LiveSegment {
        /// Splits the segment between adjacent words for which a closure returns true.
        func split(where divides: (Word, Word) -> Bool) -> [LiveSegment] {
            guard let first = words.first else { return [self] }
            var groups = [[first]]
            for (left, right) in zip(words, words.dropFirst()) {
                if divides(left, right) { groups.append([right]) } else { groups[groups.count - 1].append(right) }
            }
            guard groups.count > 1 else { return [self] }
            return groups.map { words in
                LiveSegment(
                    id: id, start: words[0].start, end: words[words.count - 1].end, text: words.map(\.rawText).joined(),
                    isFinal: isFinal, words: words, utterance: utterance)
            }
        }
    }

    extension Word {
        /// The log probability, in OpenAI's form for a token; the engine has one for each word.
        var logprob: JSONValue {
            [
                "token": .string(rawText), "logprob": .number(log(max(probability, 1e-10))),
                "bytes": .array(rawText.utf8.map { .number(Double($0)) }),
            ]
        }

        var timed: JSONValue { ["word": .string(text), "start": .seconds(start), "end": .seconds(end)] }
    }
#endif
