import StenoCore

/// A word of a live text; positions are samples from the start of the audio.
struct LiveWord: Sendable, Hashable {
    var text: String
    /// The model's own representation of the word.
    var handle: [Int]
    var start: Int
    var end: Int
    var probability: Double
    /// How sure the model is of the whole word, from 0 to 1.
    var certainty: Double
    /// The fraction of the search's texts that have the word, from 0 to 1.
    var support: Double
    /// The key for comparing two decodings: letters and digits in lower case; empty for words of only punctuation.
    let key: String

    /// - Parameter origin: The sample from which the times of the word are counted.
    init(_ word: UtteranceWord, origin: Int) {
        text = word.text
        handle = word.handle
        start = origin + word.start.samples
        probability = word.probability
        certainty = word.certainty
        support = word.support
        key = Word.key(word.text)
        end = min(origin + word.end.samples, start + Self.longest(key).samples)
    }

    /// The longest time that a word takes, in seconds.
    ///
    /// The alignment assigns all audio to some word: the last word of a text that ends too soon gets the rest of the
    /// speech.
    private static func longest(_ key: String) -> Double {
        key.unicodeScalars.reduce(0.5) { $0 + ($1.properties.numericType == nil ? 0.1 : 0.4) }
    }

    /// The public form of the word, in seconds.
    var word: Word { Word(rawText: text, start: start.seconds, end: end.seconds, probability: probability) }

    var isSpaced: Bool { text.first?.isWhitespace ?? false }

    var isPunctuation: Bool { key.isEmpty }

    /// Whether it is a part of the word before it, as in “rose-breasted” or “she’ll”: no space comes before it, in a script
    /// that has spaces.
    var continuesWord: Bool {
        guard let first = text.unicodeScalars.first, !first.properties.isWhitespace,
            let letter = key.unicodeScalars.first
        else { return false }
        return letter.value < UnspacedScript.first
    }
}

extension UtteranceHypothesis {
    /// The mean probability of the words, without punctuation.
    var meanProbability: Double? { words.map { LiveWord($0, origin: 0) }.meanProbability }
}

extension [LiveWord] {
    var pieces: [TextPiece] { map { TextPiece($0.text, handle: $0.handle) } }

    /// The number of leading words that agree with another decoding, ignoring punctuation; the count includes
    /// punctuation between them, but not after the last.
    func agreement(with other: [LiveWord]) -> Int {
        var agreed = 0
        var theirs = other.filter { !$0.isPunctuation }.makeIterator()
        for (index, word) in enumerated() where !word.isPunctuation {
            guard let their = theirs.next(), their.key == word.key else { break }
            agreed = index + 1
        }
        return agreed
    }

    /// The mean probability of the words, without punctuation.
    var meanProbability: Double? {
        let spoken = filter { !$0.isPunctuation }
        return spoken.isEmpty ? nil : spoken.reduce(0) { $0 + $1.probability } / Double(spoken.count)
    }

    /// Later words never start before earlier ones end, whatever the alignment says.
    func ordered(after end: Int) -> [LiveWord] {
        var end = end
        return map { word in
            var word = word
            word.start = Swift.max(word.start, end)
            word.end = Swift.max(word.end, word.start)
            end = word.end
            return word
        }
    }

    /// The words without hallucinated repetitions: at the start of speech, or after the end of a previous word, a model
    /// may write a word twice, with low confidence and almost no audio ("you you watch").
    ///
    /// - Parameter previous: The key of the word before the first one.
    func withoutRepetitions(after previous: String?) -> [LiveWord] {
        var previous = previous
        return filter { word in
            guard !word.isPunctuation else { return true }
            defer { previous = word.key }
            return word.key != previous || word.probability >= Self.leastOfRepeated
                || word.end - word.start >= Self.shortestRepeated
        }
    }

    /// A word that is really spoken twice is at least this probable the second time, or has a minimum duration.
    private static var leastOfRepeated: Double { 0.7 }
    /// The minimum duration of an improbable word that is really spoken twice.
    private static var shortestRepeated: Int { 0.15.samples }

    /// The words with the punctuation and capitals that are already shown, as long as they are the same words.
    func held(as shown: [LiveWord]) -> [LiveWord] {
        var held: [LiveWord] = []
        var (mine, theirs) = (self[...], shown[...])
        while let next = mine.firstIndex(where: { !$0.isPunctuation }),
            let other = theirs.firstIndex(where: { !$0.isPunctuation }), mine[next].key == theirs[other].key
        {
            var word = mine[next]
            word.text = theirs[other].text
            for var mark in theirs[..<other] {
                mark.start = word.start
                mark.end = word.start
                held.append(mark)
            }
            held.append(word)
            (mine, theirs) = (mine[(next + 1)...], theirs[(other + 1)...])
        }
        return held + mine
    }
}

extension ArraySlice<LiveWord> {
    /// The number of words up to the last one that is not punctuation.
    var spokenEnd: Int { (lastIndex { !$0.isPunctuation }).map { $0 - startIndex + 1 } ?? 0 }
    var spokenCount: Int { count { !$0.isPunctuation } }
    /// The number of words up to the last but one that is not punctuation.
    var withoutLastSpoken: Int { prefix(Swift.max(spokenEnd - 1, 0)).spokenEnd }

    /// Whether most words that an earlier decoding probably heard are missing: a model that writes a heading may stop
    /// after it.
    func isCutShort(of heard: ArraySlice<LiveWord>) -> Bool {
        let spoken = heard.filter { !$0.isPunctuation }
        guard spoken.count > 3, spokenCount * 2 < spoken.count else { return false }
        return spoken.meanProbability.map { $0 > Self.probablyHeard } ?? false
    }

    private static var probablyHeard: Double { 0.6 }

    /// The index of the first improbable repetition of the previous word, which a model writes if final words end a
    /// little later in the audio than their times say.
    ///
    /// - Parameter previous: The key of the word before the first one.
    func firstStutter(after previous: String?) -> Int? {
        var previous = previous
        for index in indices where !self[index].isPunctuation {
            if self[index].key == previous, self[index].probability < Self.probableRepetition { return index }
            previous = self[index].key
        }
        return nil
    }

    /// A word that is really spoken twice is at least this probable the second time.
    private static var probableRepetition: Double { 0.5 }

    /// The largest number of leading words, at most `count`, that ends with a whole word that is not punctuation.
    func wholeWords(_ count: Int) -> Int {
        var count = prefix(count).spokenEnd
        while count > 0, count < self.count {
            let next = self[(startIndex + count)...].prefix { $0.isPunctuation && !$0.isSpaced }.count + count
            guard next < self.count, self[startIndex + next].continuesWord else { break }
            count = prefix(count).withoutLastSpoken
        }
        return count
    }
}
