/// Contractions and titles written out, one rule after the other, in openai-whisper's order.
enum EnglishContractions {
    private struct Rule {
        let short: CodePoints
        let long: CodePoints
        /// Whether a word must begin where the short form does.
        let beginsWord: Bool

        init(_ short: String, _ long: String, beginsWord: Bool = true) {
            self.short = CodePoints(short)
            self.long = CodePoints(long)
            self.beginsWord = beginsWord
        }
    }

    static func expand(_ text: CodePoints) -> CodePoints { rules.reduce(text, apply) }

    private static func apply(_ text: CodePoints, _ rule: Rule) -> CodePoints {
        text.replacing { index in
            guard text[index] == rule.short[0], text.stands(rule.short, at: index),
                text.isBoundary(index + rule.short.count), !rule.beginsWord || text.isBoundary(index)
            else { return nil }
            return (rule.short.count, rule.long)
        }
    }

    private static let rules = words + titles + perfectTenses + endings

    private static let words = [
        Rule("won't", "will not"), Rule("can't", "can not"), Rule("let's", "let us"), Rule("ain't", "aint"),
        Rule("y'all", "you all"), Rule("wanna", "want to"), Rule("gotta", "got to"), Rule("gonna", "going to"),
        Rule("i'ma", "i am going to"), Rule("imma", "i am going to"), Rule("woulda", "would have"),
        Rule("coulda", "could have"), Rule("shoulda", "should have"), Rule("ma'am", "madam"),
    ]

    /// The space after a title is what a full stop leaves behind.
    private static let titles = [
        ("mr", "mister"), ("mrs", "missus"), ("st", "saint"), ("dr", "doctor"), ("prof", "professor"),
        ("capt", "captain"), ("gov", "governor"), ("ald", "alderman"), ("gen", "general"), ("sen", "senator"),
        ("rep", "representative"), ("pres", "president"), ("rev", "reverend"), ("hon", "honorable"),
        ("asst", "assistant"), ("assoc", "associate"), ("lt", "lieutenant"), ("col", "colonel"), ("jr", "junior"),
        ("sr", "senior"), ("esq", "esquire"),
    ].map { Rule($0.0, $0.1 + " ") }

    private static let perfectTenses = [
        ("'d been", " had been"), ("'s been", " has been"), ("'d gone", " had gone"), ("'s gone", " has gone"),
        ("'d done", " had done"), ("'s got", " has got"),
    ].map { Rule($0.0, $0.1, beginsWord: false) }

    private static let endings = [
        ("n't", " not"), ("'re", " are"), ("'s", " is"), ("'d", " would"), ("'ll", " will"), ("'t", " not"),
        ("'ve", " have"), ("'m", " am"),
    ].map { Rule($0.0, $0.1, beginsWord: false) }
}
