/// Writes the numbers of an English text as digits, equal to openai-whisper's `EnglishNumberNormalizer`.
struct EnglishNumberNormalizer {
    func normalize(_ text: CodePoints) -> CodePoints {
        let words = Self.preprocessed(text).words()
        var reader = EnglishNumberReader()
        for (index, word) in words.enumerated() {
            reader.read(
                word, previous: index > 0 ? words[index - 1] : nil,
                next: index + 1 < words.count ? words[index + 1] : nil)
        }
        return Self.postprocessed(CodePoints(reader.finish().joined(separator: " ")))
    }
}

extension EnglishNumberNormalizer {
    private static func preprocessed(_ text: CodePoints) -> CodePoints {
        withJoinedSuffixes(withSpacesBetweenLettersAndDigits(withHalvesAsDecimals(text)))
    }

    /// *Three and a half* becomes *three point five*.
    private static func withHalvesAsDecimals(_ text: CodePoints) -> CodePoints {
        let segments = splitAtHalves(text)
        var parts: [CodePoints] = []
        for (index, segment) in segments.enumerated() {
            guard let lastWord = segment.words().last else { continue }
            parts.append(segment)
            guard index < segments.count - 1 else { continue }
            let isNumber = EnglishNumberWord.isDecimal(lastWord) || EnglishNumberWord.isMultiplier(lastWord)
            parts.append(CodePoints(isNumber ? "point five" : "and a half"))
        }
        return CodePoints(parts.joined(separator: [" "]))
    }

    private static func splitAtHalves(_ text: CodePoints) -> [CodePoints] {
        var segments: [CodePoints] = []
        var start = 0
        var index = 0
        while index < text.count {
            if let end = endOfHalf(text, at: index) {
                segments.append(CodePoints(text[start..<index]))
                start = end
                index = end
            } else {
                index += 1
            }
        }
        return segments + [CodePoints(text[start...])]
    }

    /// The end of the words *and a half* if they begin at an index, or else nil.
    private static func endOfHalf(_ text: CodePoints, at start: Int) -> Int? {
        guard text[start] == "a", text.isBoundary(start) else { return nil }
        var index = start
        for (number, word) in ["and", "a", "half"].enumerated() {
            if number > 0 {
                let next = text.end(of: \.isSpace, from: index)
                guard next > index else { return nil }
                index = next
            }
            let letters = CodePoints(word)
            guard text.stands(letters, at: index) else { return nil }
            index += letters.count
        }
        return text.isBoundary(index) ? index : nil
    }

    private static func withSpacesBetweenLettersAndDigits(_ text: CodePoints) -> CodePoints {
        text.replacing { index in
            guard index + 1 < text.count else { return nil }
            let (first, second) = (text[index], text[index + 1])
            let isEdge =
                first.isLowercaseASCIILetter && second.isASCIIDigit
                || first.isASCIIDigit && second.isLowercaseASCIILetter
            return isEdge ? (1, [first, " "]) : nil
        }
    }

    private static let suffixes = ["st", "nd", "rd", "th", "s"].map { CodePoints($0) }

    /// `10 th` becomes `10th`.
    private static func withJoinedSuffixes(_ text: CodePoints) -> CodePoints {
        text.replacing { index in
            guard text[index].isASCIIDigit else { return nil }
            let word = text.end(of: \.isSpace, from: index + 1)
            guard word > index + 1,
                let suffix = suffixes.first(where: { text.stands($0, at: word) && text.isBoundary(word + $0.count) })
            else { return nil }
            return (word + suffix.count - index, [text[index]] + suffix)
        }
    }

    private static let money: Set<Unicode.Scalar> = ["€", "£", "$"]

    private static func postprocessed(_ text: CodePoints) -> CodePoints {
        withOneAsWord(withCentsAlone(withCentsJoined(text)))
    }

    /// `$2 and ¢7` becomes `$2.07`.
    private static func withCentsJoined(_ text: CodePoints) -> CodePoints {
        let and = CodePoints("and ")
        return text.replacing { index in
            guard money.contains(text[index]) else { return nil }
            var place = text.end(of: \.isASCIIDigit, from: index + 1)
            guard place > index + 1, place < text.count, text[place] == " " else { return nil }
            let whole = text[index..<place]
            place += 1
            if text.stands(and, at: place) { place += and.count }
            guard place < text.count, text[place] == "¢", let end = endOfCents(text, from: place + 1) else {
                return nil
            }
            let cents = (end - place == 2 ? ["0"] : []) + text[(place + 1)..<end]
            return (end - index, whole + ["."] + cents)
        }
    }

    /// `$0.36` becomes `¢36`.
    private static func withCentsAlone(_ text: CodePoints) -> CodePoints {
        text.replacing { index in
            guard money.contains(text[index]), index + 2 < text.count, text[index + 1] == "0", text[index + 2] != "\n",
                let end = endOfCents(text, from: index + 3)
            else { return nil }
            let digits = text[(index + 3)..<end]
            let cents = digits.count == 2 && digits.first == "0" ? digits.dropFirst() : digits
            return (end - index, ["¢"] + cents)
        }
    }

    /// The end of one or two digits that end a word.
    private static func endOfCents(_ text: CodePoints, from start: Int) -> Int? {
        let end = text.end(of: \.isASCIIDigit, from: start)
        return (1...2).contains(end - start) && text.isBoundary(end) ? end : nil
    }

    /// `1` and `1s` become *one* and *ones*, as people write them.
    private static func withOneAsWord(_ text: CodePoints) -> CodePoints {
        text.replacing { index in
            guard text[index] == "1", text.isBoundary(index) else { return nil }
            if text.stands(["1", "s"], at: index), text.isBoundary(index + 2) { return (2, CodePoints("ones")) }
            return text.isBoundary(index + 1) ? (1, CodePoints("one")) : nil
        }
    }
}
