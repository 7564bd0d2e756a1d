internal import Foundation

extension SpecialTokens {
    /// The names of all special tokens below an id, such as `<|endoftext|>`, by their ids.
    func names(count: Int) -> [Int: String] {
        var names = [
            endOfText: "endoftext", startOfTranscript: "startoftranscript", translate: "translate",
            transcribe: "transcribe", startOfLM: "startoflm", startOfPrevious: "startofprev", noSpeech: "nospeech",
            noTimestamps: "notimestamps",
        ]
        for language in languages { names[language.id] = language.code }
        for id in timestampBegin..<max(timestampBegin, count) {
            names[id] = String(format: "%.2f", Double(id - timestampBegin) / 50)
        }
        return names.mapValues { "<|\($0)|>" }
    }
}
