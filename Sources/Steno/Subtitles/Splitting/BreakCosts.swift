/// The cost of ending a cue before each piece, and of not ending it.
///
/// The order is that of the guides (Netflix, BBC): after a sentence, after other punctuation or in a pause, before a
/// conjunction or preposition; not between an article and its noun, a pronoun and its verb, a first and a last name.
struct BreakCosts {
    /// The cost of ending a cue before a piece; a line break within a cue costs half of it.
    private(set) var ending: [Double] = []
    /// The accumulated cost of continuing past the possible ends before a piece.
    private(set) var going: [Double] = [0]

    private static let clause = 2.0
    private static let segment = 3.0
    private static let phrase = 3.0
    private static let plain = 6.0
    private static let name = 9.0
    private static let bound = 10.0
    /// The cost of continuing after a sentence, so that a cue is one sentence if there is time for it.
    private static let sentence = 4.5
    /// Pauses longer than this count, in seconds.
    private static let pause = 0.6
    private static let pauseWeight = 6.0
    /// No cue stays visible across a pause of this length, in seconds.
    private static let longPause = 2.0
    private static let forbidden = 100.0

    private let script: CueScript
    private let words: PhraseWords

    /// - Parameter phrases: The function words of the text's language; nil finds them in the pieces.
    init(_ pieces: [CuePiece], script: CueScript, phrases: PhraseWords? = nil) {
        self.script = script
        let keys = pieces.map { PhraseWords.key($0.text) }
        words = phrases ?? PhraseWords(of: keys)
        var last: PieceText?
        for (piece, key) in zip(pieces, keys) {
            let text = PieceText(piece, key: key)
            ending.append(last.map { cost(between: $0, text) } ?? 0)
            going.append((going.last ?? 0) + (last.map { goingOn($0, text) } ?? 0))
            last = text
        }
        ending.append(0)
    }

    /// The cost of all possible ends inside a cue of these pieces.
    func goingOver(_ range: Range<Int>) -> Double { going[range.upperBound] - going[range.lowerBound + 1] }

    private func cost(between left: PieceText, _ right: PieceText) -> Double {
        if endsSentence(left, right) { return 0 }
        let relief = Self.pauseWeight / 2 * min(1, pause(left, right))
        return max(0, syntax(left, right) - relief)
    }

    private func syntax(_ left: PieceText, _ right: PieceText) -> Double {
        if left.endsClause { return Self.clause }
        if words.bindNext.contains(left.key) { return Self.bound }
        if right.piece.startsSegment { return Self.segment }
        if words.beginPhrase.contains(right.key) { return Self.phrase }
        if script == .japanese || script == .chinese { return unspacedSyntax(left, right) }
        return left.isCapitalized && right.isCapitalized ? Self.name : Self.plain
    }

    /// In Japanese a phrase ends with particles or endings in hiragana; Chinese has its particles too.
    private func unspacedSyntax(_ left: PieceText, _ right: PieceText) -> Double {
        if script == .chinese { return left.text.last.map("的了吗呢吧啊".contains) == true ? Self.phrase : Self.plain }
        switch (left.endsInHiragana, right.beginsInHiragana) {
        case (true, false): return Self.phrase
        case (false, true): return Self.name
        default: return Self.plain + 1
        }
    }

    private func goingOn(_ left: PieceText, _ right: PieceText) -> Double {
        let pause = pause(left, right)
        let silence = pause >= Self.longPause ? Self.forbidden : max(0, pause - Self.pause) * Self.pauseWeight
        return (endsSentence(left, right) ? Self.sentence : 0) + silence
    }

    private func pause(_ left: PieceText, _ right: PieceText) -> Double { right.piece.start - left.piece.end }

    /// A full stop before a lower-case letter probably ends an abbreviation.
    private func endsSentence(_ left: PieceText, _ right: PieceText) -> Bool {
        left.endsSentence && !(left.endsWithStop && right.isLowercase)
    }
}

/// The properties of a piece's text that affect the costs.
private struct PieceText {
    let piece: CuePiece
    let text: String
    let key: String
    /// The last character that is not a closing quotation mark or bracket.
    private let mark: Character?

    init(_ piece: CuePiece, key: String) {
        self.piece = piece
        text = piece.text
        self.key = key
        mark = text.last { !"\"'”’)]»」』）】".contains($0) }
    }

    var endsSentence: Bool {
        mark.map(".!?…。！？؟।".contains) == true && !PhraseWords.abbreviations.contains(key) && !isInitial
    }

    var endsWithStop: Bool { mark == "." }
    var endsClause: Bool { mark.map(",;:—–、，；：،".contains) == true || text.last.map(")）".contains) == true }
    var isCapitalized: Bool { text.first?.isUppercase == true }
    var isLowercase: Bool { text.first?.isLowercase == true }
    var endsInHiragana: Bool { text.unicodeScalars.last.map(Self.isHiragana) == true }
    var beginsInHiragana: Bool { text.unicodeScalars.first.map(Self.isHiragana) == true }

    /// Whether it is an initial: one capital letter with a full stop.
    private var isInitial: Bool { endsWithStop && key.count == 1 && isCapitalized }

    private static func isHiragana(_ scalar: Unicode.Scalar) -> Bool { (0x3041...0x309F).contains(scalar.value) }
}
