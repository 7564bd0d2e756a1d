import StenoCore

/// Continues the text that the main model shows with the words of a draft model, which has heard newer audio.
///
/// The main model's words come first, and the draft's follow after the last of them, found by text and time
/// (``HypothesisSeam``). Final text is passed on unchanged. A word of the draft that has been shown stays until the main
/// model has a word in its place: the draft itself never changes it, so a wrong word is replaced once.
struct DraftText: Sendable {
    /// The utterance whose text is shown.
    private var utterance: Int?
    /// The final words whose audio the draft has heard.
    private var finals: [LiveWord] = []
    /// The partial words of the main model.
    private var main: [LiveWord] = []
    /// The words of the draft, from the beginning of its audio.
    private var draft: [LiveWord] = []
    /// The first and last of ``draft`` that are shown.
    private var tail = 0..<0
    /// The words of the draft's newest decoding.
    private var newest: [LiveWord] = []
    private var shown: [LiveWord] = []

    private let showAfter: Int

    init(_ options: LiveOptions) { showAfter = options.showAfter.samples }

    /// The actions of the main model, with the draft's words after its partial text.
    ///
    /// - Parameter heardTo: The end of the audio of the main model's newest text.
    mutating func joined(_ actions: [LiveAction], heardTo: Int) -> [LiveAction] {
        actions.map { action in
            switch action {
            case .commit(let words, let utterance):
                begin(utterance)
                finals += words
                // The action after it has the partial text.
                main = []
                return action
            case .show(let words, let utterance):
                begin(utterance)
                main = words
                return .show(join(heardTo: heardTo), utterance: utterance)
            case .endUtterance:
                clear()
                return action
            default: return action
            }
        }
    }

    /// Takes the words of a decoding of the draft, and shows the text if that changes it.
    ///
    /// - Parameters:
    ///   - words: All words of its audio.
    ///   - span: Its audio.
    ///   - utterance: The utterance it belongs to.
    ///   - heardTo: The end of the audio of the main model's newest text.
    mutating func take(_ words: [LiveWord], of span: Range<Int>, utterance: Int, heardTo: Int) -> [LiveAction] {
        begin(utterance)
        finals.removeAll { $0.end <= span.lowerBound }
        let twice = words[..<words.agreement(with: newest)].last?.end ?? 0
        newest = words
        // What is shown stays, and what precedes it was heard by the main model.
        let kept = tail.isEmpty ? [] : Array(draft[..<tail.upperBound])
        let next = kept.isEmpty ? 0 : HypothesisSeam.index(in: words, after: kept)
        draft = kept + words[next...]
        let start = max(firstAfterMain, kept.count)
        let audible = draft[start...].prefix { $0.end <= twice || isAudible($0, span.upperBound) }
        tail = 0..<start + audible.spokenEnd
        return refreshed(heardTo: heardTo)
    }

    /// Shows the text again if it has changed because the main model has heard more.
    mutating func refreshed(heardTo: Int) -> [LiveAction] {
        guard let utterance else { return [] }
        let before = shown.map(\.text)
        let now = join(heardTo: heardTo)
        return now.map(\.text) == before ? [] : [.show(now, utterance: utterance)]
    }

    /// Forgets the text, at the end of an utterance or when the transcript is cleared.
    mutating func clear() {
        utterance = nil
        (finals, main, draft, newest, shown) = ([], [], [], [], [])
        tail = 0..<0
    }

    private mutating func begin(_ next: Int) {
        guard utterance != next else { return }
        clear()
        utterance = next
    }

    /// The main model's partial words and those of the draft after them.
    private mutating func join(heardTo: Int) -> [LiveWord] {
        let start = min(
            max(firstAfterMain, draft.firstIndex { $0.end >= heardTo - Self.mostDelay } ?? draft.count),
            tail.upperBound)
        tail = start..<tail.upperBound
        let end = main.last?.end ?? finals.last?.end ?? 0
        var rest = Array(draft[tail]).ordered(after: end)
        if let last = rest.popLast() { rest.append(last.withoutMark) }
        shown = main + rest
        return shown
    }

    /// The number of the draft's words that the main model has too.
    private var firstAfterMain: Int { HypothesisSeam.index(in: draft, after: finals + main) }

    /// Whether a word has probably ended, as far as its times and its probability say.
    private func isAudible(_ word: LiveWord, _ heardTo: Int) -> Bool {
        let isSure = word.isPunctuation || word.probability >= Self.probable
        return word.end <= heardTo - showAfter - (isSure ? 0 : Self.doubt)
    }

    /// A less probable word is shown later.
    private static let probable = 0.8
    private static let doubt = 0.27.samples
    /// A word that ended this long before the end of the main model's audio, and that it does not have, was not spoken.
    private static let mostDelay = 0.6.samples
}

extension LiveWord {
    /// The word without the full stop or comma at its end, which the draft guesses before it hears what follows.
    fileprivate var withoutMark: LiveWord {
        var word = self
        while let last = word.text.unicodeScalars.last, [".", ",", "…"].contains(last) {
            word.text.unicodeScalars.removeLast()
        }
        return word.text.isEmpty ? self : word
    }
}
