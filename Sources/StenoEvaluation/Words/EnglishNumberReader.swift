/// Reads words from left to right and joins those that form a number.
///
/// The rules are exactly those of openai-whisper's `process_words`.
struct EnglishNumberReader {
    private var output: [String] = []
    private var prefix = ""
    private var value: EnglishNumberValue?
    private var skipsNext = false

    mutating func read(_ word: String, previous: String?, next: String?) {
        if skipsNext {
            skipsNext = false
        } else if !readNumeral(word) {
            guard let kind = EnglishNumberWord(word) else {
                emitValue()
                emit(word)
                return
            }
            read(word, kind, previous: previous, next: next)
        }
    }

    mutating func finish() -> [String] {
        emitValue()
        return output
    }

    private mutating func read(_ word: String, _ kind: EnglishNumberWord, previous: String?, next: String?) {
        switch kind {
        case .zero: value = .digits(digitsSoFar + "0")
        case .one(let number): value = joined(one: number, previous: previous)
        case .oneWithSuffix(let number, let suffix): emit(joined(one: number, previous: previous).text + suffix)
        case .ten(let number): value = joined(ten: number)
        case .tenWithSuffix(let number, let suffix): emit(joined(ten: number).text + suffix)
        case .multiplier(let zeros): multiply(zeros)
        case .multiplierWithSuffix(let zeros, let suffix):
            multiply(zeros)
            emitValue(suffix)
        case .sign(let sign): readSign(word, sign, next: next)
        case .currency(let sign): readCurrency(word, sign)
        case .percent: readPercent(word)
        case .per: readPer(word, next: next)
        case .and, .repetition, .point: readSpecial(word, kind, previous: previous, next: next)
        }
    }
}

extension EnglishNumberReader {
    /// The text before the next digits; a plain 0 is dropped.
    private var digitsSoFar: String {
        if case .integer(let number) = value, number.isZero { return "" }
        return value?.text ?? ""
    }

    private mutating func emit(_ text: String) {
        output.append(prefix + text)
        prefix = ""
        value = nil
    }

    private mutating func emitValue(_ suffix: String = "") { if let value { emit(value.text + suffix) } }

    private static let signs: Set<Unicode.Scalar> = ["-", "+", "£", "€", "$", "¢"]

    /// Reads a word of digits, possibly with a sign before it; returns false for any other word.
    private mutating func readNumeral(_ word: String) -> Bool {
        let scalars = Substring(word).unicodeScalars
        let sign = scalars.first.flatMap { Self.signs.contains($0) ? $0 : nil }
        guard let numeral = EnglishNumberValue(numeral: sign == nil ? scalars : scalars.dropFirst()) else {
            return false
        }
        // After a point, the parts of a decimal number or of an address are joined.
        if case .digits(let text) = value, text.hasSuffix(".") {
            value = .digits(text + word)
            return true
        }
        emitValue()
        if let sign { prefix = String(sign) }
        value = numeral
        return true
    }

    private func joined(one: Int, previous: String?) -> EnglishNumberValue {
        guard let value else { return .integer(DecimalInteger(one)) }
        if case .integer = value, !EnglishNumberWord.isOne(previous) {
            return value.followed(by: one, below: one < 10 ? 1 : 2)
        }
        // "Nineteen ninety nine": the digit replaces the last zero.
        let fillsZero = EnglishNumberWord.isTen(previous) && one < 10
        return .digits((fillsZero ? String(value.text.dropLast()) : value.text) + String(one))
    }

    private func joined(ten: Int) -> EnglishNumberValue {
        value?.followed(by: ten, below: 2) ?? .integer(DecimalInteger(ten))
    }

    /// Only the part below a thousand is multiplied: *two million three hundred thousand*.
    private mutating func multiply(_ zeros: Int) {
        guard let current = value else {
            value = .integer(.powerOfTen(zeros))
            return
        }
        if case .integer(let number) = current {
            let (thousands, rest) = number.thousandsAndRest
            value = .integer(thousands + rest.timesPowerOfTen(zeros))
        } else if let product = current.timesPowerOfTen(zeros) {
            value = .integer(product)
        } else {
            emitValue()
            value = .integer(.powerOfTen(zeros))
        }
    }

    private func canBeNumber(_ word: String?) -> Bool {
        word.flatMap(EnglishNumberWord.init) != nil || EnglishNumberValue.isNumeral(word)
    }

    private mutating func readSign(_ word: String, _ sign: String, next: String?) {
        emitValue()
        if canBeNumber(next) { prefix = sign } else { emit(word) }
    }

    private mutating func readCurrency(_ word: String, _ sign: String) {
        if value != nil {
            prefix = sign
            emitValue()
        } else {
            emit(word)
        }
    }

    private mutating func readPercent(_ word: String) { if value != nil { emitValue("%") } else { emit(word) } }

    private mutating func readPer(_ word: String, next: String?) {
        if value != nil, next == "cent" {
            emitValue("%")
            skipsNext = true
        } else {
            emitValue()
            emit(word)
        }
    }

    /// **And*, *double* and *point* are special only if a number may follow.
    private mutating func readSpecial(_ word: String, _ kind: EnglishNumberWord, previous: String?, next: String?) {
        switch kind {
        case _ where !canBeNumber(next):
            emitValue()
            emit(word)
        case .and where EnglishNumberWord.isMultiplier(previous):
            break
        case .repetition(let times):
            readRepetition(word, times, next: next)
        case .point:
            if EnglishNumberWord.isDecimal(next) || EnglishNumberValue.isNumeral(next) {
                value = .digits(digitsSoFar + ".")
            }
        default:
            emitValue()
            emit(word)
        }
    }

    private mutating func readRepetition(_ word: String, _ times: Int, next: String?) {
        switch next.flatMap(EnglishNumberWord.init) {
        case .zero: value = .digits(digitsSoFar + String(repeating: "0", count: times))
        case .one(let number): value = .digits(digitsSoFar + String(repeating: String(number), count: times))
        default:
            emitValue()
            emit(word)
            return
        }
        skipsNext = true
    }
}
