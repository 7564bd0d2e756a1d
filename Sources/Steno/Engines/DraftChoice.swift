import Foundation
package import StenoCore

/// Chooses and loads the draft model of a live session (``LiveOptions/draftModel``).
///
/// `auto` adds one only where it shows words sooner: if a decoding for partial text takes the chosen model more than half
/// of the shortest step, and the small model less. Both are measured when a session starts, on six seconds of noise and for
/// at most half a second, so a fast machine keeps one model, and a machine that is busy elsewhere may get two.
package struct DraftChoice: Sendable {
    /// The name that leaves the choice to this type.
    package static let automatic = "auto"
    /// The name for no draft model.
    package static let none = "none"

    private let model: any SpeechModel
    private let options: LiveOptions
    private let pace: LivePace
    private let locator: ModelLocator

    /// Creates a choice.
    ///
    /// - Parameter model: The model that makes text final.
    package init(
        for model: any SpeechModel, options: LiveOptions, pace: LivePace, locator: ModelLocator = ModelLocator()
    ) {
        (self.model, self.options, self.pace, self.locator) = (model, options, pace, locator)
    }

    /// The draft model; nil for none.
    ///
    /// - Throws: `StenoError`: what loading a named model throws, and `invalidOption` if it cannot be the draft of this one.
    package func load() async throws -> (any SpeechModel)? {
        guard options.draftModel != Self.none else { return nil }
        return try await Worker.run("steno.draft") { [self] flag in try load { flag.isCancelled } }
    }

    /// Loads the draft model on the calling thread.
    func load(isCancelled: @escaping () -> Bool) throws -> (any SpeechModel)? {
        switch options.draftModel {
        case Self.none: return nil
        case Self.automatic: return try automatic(isCancelled)
        default: return try check(load(locator.locate(options.draftModel), isCancelled))
        }
    }

    // MARK: A named model

    private func check(_ draft: any SpeechModel) throws -> any SpeechModel {
        guard options.task == .transcribe else {
            throw StenoError(.invalidOption, "A translation has no draft model: leave it out.")
        }
        if let language = options.language, !knows(language, draft) {
            throw StenoError(
                .invalidOption,
                "The draft model \(options.draftModel) does not know the language “\(language.prefix(40))”. Choose another "
                    + "draft model, or \(Self.none).")
        }
        return draft
    }

    /// Half of the threads: the other model needs the rest.
    private func load(_ located: LocatedModel, _ isCancelled: @escaping () -> Bool) throws -> any SpeechModel {
        try ModelFamily.load(
            located.folder, precision: .automatic, threads: max(1, model.information.threads / 2),
            isCancelled: isCancelled)
    }

    private func knows(_ language: String, _ model: any SpeechModel) -> Bool {
        let code = Languages.code(for: language) ?? language
        return LanguageCodes.code(for: code, among: model.information.languages) != nil
    }

    // MARK: By measured speed

    private func automatic(_ isCancelled: @escaping () -> Bool) throws -> (any SpeechModel)? {
        // Decodings that take no time need no help, and half a sentence is not translated.
        guard pace.isMeasured, options.task == .transcribe, model.information.parameterCount > Self.smallest,
            let candidate, try !isQuick(model, isCancelled)
        else { return nil }
        let draft: any SpeechModel
        do {
            draft = try load(candidate, isCancelled)
        } catch let error as StenoError where error.code != .cancelled {
            // Nobody asked for this model.
            return nil
        }
        guard draft.information.parameterCount < model.information.parameterCount,
            options.language.map({ knows($0, draft) }) ?? true, try isQuick(draft, isCancelled)
        else { return nil }
        return draft
    }

    /// A model with fewer weights is itself a draft model.
    private static let smallest = 30_000_000

    /// Moonshine tiny for English and for a language that is still to be detected, otherwise Whisper tiny.
    private var candidate: LocatedModel? {
        let language = options.language.map { Languages.code(for: $0) ?? $0 }
        let isEnglish = language.map { LanguageCodes.subtags($0).first == "en" } ?? true
        let names = isEnglish ? [BundledProduct.moonshineTiny.model, "tiny"] : ["tiny"]
        return names.lazy.compactMap { try? locator.locate($0) }.first
    }

    /// Whether a decoding for partial text takes at most half of the shortest step; a streaming model always shows words
    /// at once.
    private func isQuick(_ model: any SpeechModel, _ isCancelled: @escaping () -> Bool) throws -> Bool {
        guard case .repeated(let decoder) = try model.makeLiveDecoder(LiveDecoderOptions()) else { return true }
        let language = model.information.languages.first { $0 == "en" } ?? model.information.languages.first
        return try DecodingSpeed(
            decoder, language: options.language.flatMap { knows($0, model) ? $0 : nil } ?? language
        )
        .isAtMost(options.step / 2, isCancelled)
    }
}

/// The duration of a decoding for partial text.
struct DecodingSpeed {
    private let decoder: any UtteranceDecoding
    private let language: String?

    init(_ decoder: any UtteranceDecoding, language: String?) { (self.decoder, self.language) = (decoder, language) }

    /// Whether a decoding takes at most so many seconds; a longer one is interrupted.
    ///
    /// - Parameter now: A clock in seconds.
    func isAtMost(
        _ limit: Double, _ isCancelled: @escaping () -> Bool,
        now: @escaping () -> Double = { ProcessInfo.processInfo.systemUptime }
    ) throws -> Bool {
        let request = UtteranceRequest(SpeechSettings(language: language))
        // The first one also brings the weights into the caches.
        for (number, allowance) in [(0, 4 * limit), (1, limit)] {
            let start = now()
            decoder.isCancelled = { isCancelled() || now() - start > allowance }
            // Other audio, because a decoder may remember its last text.
            let samples = Array(MeasuredAudio.samples.dropFirst(number * Self.length).prefix(Self.length))
            do {
                _ = try decoder.decode(samples, request)
            } catch let error as StenoError where error.code == .cancelled {
                if isCancelled() { throw error }
                return false
            }
            if now() - start > allowance { return false }
        }
        return true
    }

    /// Six seconds: what an utterance often has.
    private static let length = 6 * 16_000
}
