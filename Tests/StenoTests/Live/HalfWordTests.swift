import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// No text of a real reader is final before its last word has ended: “noise” is half of “noiseless”.
///
/// Each final text is what a reader of captions would have if the recording were cut there, so that one run of a recording
/// tries all its cuts. Whether a word has ended is decided by the text of the whole recording: a final word that is the
/// beginning of a longer one there, and ends in the middle of it, is half a word. `STENO_LONG=1` tries `soonest` too.
@Suite(
    .serialized,
    .enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct HalfWordTests {
    @Test(arguments: isLong ? [LiveBalance.soonest, .balanced] : [.balanced])
    func noFinalTextStopsInsideAWord(balance: LiveBalance) async throws {
        // In float32, so that every machine gives the same text.
        let transcriber = try await Transcriber.load(.bundled, precision: .float32)
        var texts = 0
        var halves: [String] = []
        for file in try recordings() {
            let samples = try await decoded(file)
            let whole = try await transcriber.transcribe(
                samples: samples, options: TranscriptionOptions(language: "en", wordTimestamps: true)
            ).segments.flatMap { $0.words ?? [] }
            let finals = try await finals(of: samples, transcriber, balance)
            texts += finals.count
            for (index, final) in finals.enumerated() {
                guard let last = final.words.last(where: { !Word.key($0.rawText).isEmpty }) else { continue }
                let next = index + 1 < finals.count ? finals[index + 1].text : ""
                let isContinued = last.rawText.last?.isLetter == true && next.first?.isLetter == true
                let longer = whole.first { isHalf(last, of: $0) }
                guard isContinued || longer != nil else { continue }
                halves.append("\(file.lastPathComponent): “\(final.text)” of “\(longer?.rawText ?? next)”")
            }
        }
        #expect(texts > 60, "a text is final in several pieces: \(texts)")
        #expect(halves.isEmpty, "\(halves.joined(separator: "\n"))")
    }

    private func recordings() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: Fixtures.file("readers"), includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "flac" }.sorted { $0.path < $1.path }
    }

    private func isHalf(_ word: Word, of whole: Word) -> Bool {
        let (key, longer) = (Word.key(word.rawText), Word.key(whole.rawText))
        return longer.hasPrefix(key) && longer != key && word.end > whole.start + Self.margin
            && word.end < whole.end - Self.margin
    }

    /// Word times of two decodings of the same word differ by less than this.
    private static let margin = 0.1

    private func finals(
        of samples: [Float], _ transcriber: Transcriber, _ balance: LiveBalance
    ) async throws -> [LiveSegment] {
        let options = LiveOptions(language: "en", balance: balance)
        let engine = try ModelEngine(model: transcriber.model, options: options, pace: .fast)
        return try await engine.events(hearing: samples).transcript.finals
    }
}
