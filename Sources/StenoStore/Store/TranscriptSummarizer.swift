#if Store
    public import Foundation

    /// Makes a title and a summary of a transcript; your app can provide its own, such as a language model.
    public protocol TranscriptSummarizer: Sendable {
        /// A title of a few words, and a summary; both empty if there is too little text.
        ///
        /// - Parameter sentences: The text, a sentence each, in order.
        func summary(of sentences: [String]) async throws -> TranscriptSummary
    }

    /// A title and a summary.
    public struct TranscriptSummary: Sendable, Hashable, Codable {
        /// A few words.
        public var title: String
        /// Some sentences.
        public var text: String

        /// Creates a summary.
        public init(title: String = "", text: String = "") { (self.title, self.text) = (title, text) }
    }

    extension TranscriptStore {
        /// The title and the summary of a session, from its edited texts.
        ///
        /// - Throws: As ``segments(of:)`` does, and the summarizer's errors.
        public func summary(
            of id: UUID, by summarizer: any TranscriptSummarizer = ExtractiveSummarizer()
        ) async throws -> TranscriptSummary {
            try await summarizer.summary(of: Sentences.split(segments(of: id).map(\.text).joined()))
        }
    }

    enum Sentences {
        /// Splits after sentence-ending punctuation, except for a point within a number or before a lower-case letter.
        static func split(_ text: String) -> [String] {
            var sentences: [String] = []
            var sentence = ""
            let characters = Array(text)
            for (index, character) in characters.enumerated() {
                sentence.append(character)
                guard ends.contains(character) else { continue }
                let rest = characters[(index + 1)...]
                let next = rest.first { !$0.isWhitespace }
                let isInside = rest.first.map { !$0.isWhitespace } ?? false
                if wide.contains(character) || !isInside && next?.isLowercase != true {
                    sentences.append(sentence)
                    sentence = ""
                }
            }
            return (sentences + [sentence]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                .filter { !$0.isEmpty }
        }

        /// Sentence-ending punctuation that is not followed by a space.
        private static let wide: Set<Character> = ["。", "！", "？"]
        private static let ends: Set<Character> = wide.union([".", "!", "?", "…", "।", "؟"])
    }

    /// Summarises by choosing the sentences with the most frequent words, unchanged.
    ///
    /// SumBasic (Nenkova and Vanderwende, "The Impact of Frequency on Summarization", 2005): it chooses the sentence
    /// with the most probable words, then reduces their weight, so that the next sentence adds something new. Instead
    /// of stop word lists, it ignores short words and words that occur in many sentences.
    public struct ExtractiveSummarizer: TranscriptSummarizer {
        /// The maximum number of sentences in a summary.
        public var sentences: Int

        /// Creates a summarizer with at most this many sentences.
        public init(sentences: Int = 3) { self.sentences = sentences }

        /// A shorter text is its own summary.
        private static let fewest = 5
        private static let titleLength = 60

        /// A title and a summary; only a title for short text.
        public func summary(of sentences: [String]) -> TranscriptSummary {
            let words = sentences.map(Self.words)
            let chosen = choose(words)
            guard let first = chosen.first else { return TranscriptSummary(title: Self.title(sentences.first ?? "")) }
            let title = Self.title(sentences[first])
            guard sentences.count >= Self.fewest else { return TranscriptSummary(title: title) }
            return TranscriptSummary(title: title, text: chosen.sorted().map { sentences[$0] }.joined(separator: " "))
        }

        /// The indices of the sentences, best first.
        private func choose(_ sentences: [[String]]) -> [Int] {
            var weights = Self.weights(sentences)
            var left = Set(sentences.indices)
            var chosen: [Int] = []
            while chosen.count < self.sentences {
                func score(_ index: Int) -> Double {
                    let known = sentences[index].compactMap { weights[$0] }
                    return known.count < 3 ? 0 : known.reduce(0, +) / Double(known.count)
                }
                // Of equally good sentences, the earlier one wins.
                let scored = left.sorted().map { (index: $0, score: score($0)) }
                guard let best = scored.reduce(nil, { best, next in next.score > (best?.score ?? 0) ? next : best })
                else { break }
                chosen.append(best.index)
                left.remove(best.index)
                for word in Set(sentences[best.index]) { weights[word] = weights[word].map { $0 * $0 } }
            }
            return chosen
        }

        /// The probability of each word, without words that occur in many sentences.
        private static func weights(_ sentences: [[String]]) -> [String: Double] {
            var counts: [String: Int] = [:]
            var inSentences: [String: Int] = [:]
            for words in sentences {
                for word in words { counts[word, default: 0] += 1 }
                for word in Set(words) { inSentences[word, default: 0] += 1 }
            }
            let common = max(3, sentences.count / 4)
            let kept = counts.filter { (inSentences[$0.key] ?? 0) <= common }
            let total = Double(max(1, kept.values.reduce(0, +)))
            return kept.mapValues { Double($0) / total }
        }

        /// The words of a sentence in lower case, without short ones; in scripts without spaces, the characters.
        private static func words(_ sentence: String) -> [String] {
            let parts = sentence.lowercased().split { !$0.isLetter && !$0.isNumber }
            return parts.flatMap { part -> [String] in
                guard part.unicodeScalars.contains(where: { (0x3040...0x9FFF).contains($0.value) }) else {
                    return part.count > 3 ? [String(part)] : []
                }
                return part.map(String.init)
            }
        }

        /// The beginning of a sentence, cut after a word.
        private static func title(_ sentence: String) -> String {
            let trimmed = sentence.trimmingCharacters(in: CharacterSet(charactersIn: ".。 "))
            guard trimmed.count > titleLength else { return trimmed }
            let start = trimmed.prefix(titleLength)
            let cut = start.lastIndex(of: " ") ?? start.endIndex
            return start[..<cut] + "…"
        }
    }
#endif
