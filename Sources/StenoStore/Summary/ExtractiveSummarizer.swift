#if Store
    import Foundation

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
            guard let first = chosen.first else {
                return TranscriptSummary(title: Self.title(sentences.first ?? ""))
            }
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
                guard
                    let best = scored.reduce(
                        nil,
                        { best, next in
                            next.score > (best?.score ?? 0) ? next : best
                        })
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
