enum EnglishNumberWord {
    case zero
    /// One to nineteen.
    case one(Int)
    /// *Twos*, *second*.
    case oneWithSuffix(Int, String)
    /// Twenty to ninety.
    case ten(Int)
    /// *Twenties*, *twentieth*.
    case tenWithSuffix(Int, String)
    /// A power of ten with this many zeros.
    case multiplier(zeros: Int)
    /// *Thousands*, *thousandth*.
    case multiplierWithSuffix(zeros: Int, String)
    /// *Minus* and the like, before a number.
    case sign(String)
    /// *Dollars* and the like, after a number.
    case currency(String)
    case percent
    case per
    case and
    /// *Double*, *triple*.
    case repetition(Int)
    case point

    init?(_ word: String) {
        guard let known = Self.table[word] else { return nil }
        self = known
    }

    static func isDecimal(_ word: String?) -> Bool {
        switch word.flatMap(Self.init) {
        case .zero, .one, .ten: true
        default: false
        }
    }

    static func isMultiplier(_ word: String?) -> Bool {
        if case .multiplier = word.flatMap(Self.init) { true } else { false }
    }

    static func isOne(_ word: String?) -> Bool { if case .one = word.flatMap(Self.init) { true } else { false } }

    static func isTen(_ word: String?) -> Bool { if case .ten = word.flatMap(Self.init) { true } else { false } }

    private static let table: [String: Self] = {
        var table = others
        addOnes(to: &table)
        addTens(to: &table)
        addMultipliers(to: &table)
        return table
    }()

    private static let others: [String: Self] = [
        "o": .zero, "oh": .zero, "zero": .zero, "zeroth": .oneWithSuffix(0, "th"), "minus": .sign("-"),
        "negative": .sign("-"), "plus": .sign("+"), "positive": .sign("+"), "pound": .currency("£"),
        "pounds": .currency("£"), "euro": .currency("€"), "euros": .currency("€"), "dollar": .currency("$"),
        "dollars": .currency("$"), "cent": .currency("¢"), "cents": .currency("¢"), "percent": .percent, "per": .per,
        "and": .and, "double": .repetition(2), "triple": .repetition(3), "point": .point,
    ]

    private static func addOnes(to table: inout [String: Self]) {
        let names = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
        let irregular = [
            1: ("first", "st"), 2: ("second", "nd"), 3: ("third", "rd"), 5: ("fifth", "th"), 12: ("twelfth", "th"),
        ]
        for (value, name) in zip(1..., names) {
            table[name] = .one(value)
            table[name == "six" ? "sixes" : name + "s"] = .oneWithSuffix(value, "s")
            // The original knows "nineth" and not "ninth".
            let ordinal = irregular[value] ?? (name + (name.hasSuffix("t") ? "h" : "th"), "th")
            table[ordinal.0] = .oneWithSuffix(value, ordinal.1)
        }
    }

    private static func addTens(to table: inout [String: Self]) {
        let stems = ["twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"]
        for (value, stem) in zip(stride(from: 20, through: 90, by: 10), stems) {
            table[stem + "y"] = .ten(value)
            table[stem + "ies"] = .tenWithSuffix(value, "s")
            table[stem + "ieth"] = .tenWithSuffix(value, "th")
        }
    }

    private static func addMultipliers(to table: inout [String: Self]) {
        let names = [
            "thousand", "million", "billion", "trillion", "quadrillion", "quintillion", "sextillion", "septillion",
            "octillion", "nonillion", "decillion",
        ]
        for (zeros, name) in [(2, "hundred")] + zip(stride(from: 3, through: 33, by: 3), names) {
            table[name] = .multiplier(zeros: zeros)
            table[name + "s"] = .multiplierWithSuffix(zeros: zeros, "s")
            table[name + "th"] = .multiplierWithSuffix(zeros: zeros, "th")
        }
    }
}
