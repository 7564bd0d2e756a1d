import StenoCore
import StenoWhisper
import Testing

/// Whisper's options as a request, and back.
struct WhisperOptionsRequestTests {
    private let own = WhisperOptions(
        language: "en", beamSize: 1, initialPrompt: "Hello.", hotwords: "Vienna", withoutTimestamps: true,
        clips: [0..<1], batchSize: 2)

    @Test func theyComeBack() {
        #expect(WhisperOptions(own.request) == own)
        let tokens = own.with { $0.initialPromptTokens = [1, 2] }
        #expect(WhisperOptions(tokens.request) == tokens)
        #expect(WhisperOptions(TranscriptionRequest()) == WhisperOptions())
    }

    @Test func whatIsSetOnTheRequestTakesPrecedence() {
        var request = own.request
        request.language = "de"
        request.task = .translate
        request.wordTimestamps = true
        request.vocabulary = ["Zwettl", "Krems"]
        request.prompt = "Servus."
        request.clips = [2..<3, 4..<5]
        request.batchSize = 4
        var expected = own
        (expected.language, expected.task, expected.wordTimestamps) = ("de", .translate, true)
        (expected.hotwords, expected.initialPrompt) = ("Zwettl, Krems", "Servus.")
        (expected.clips, expected.batchSize) = ([2..<3, 4..<5], 4)
        #expect(WhisperOptions(request) == expected)
    }

    @Test func whatIsRemovedFromTheRequestIsGone() {
        var request = own.request
        (request.language, request.vocabulary, request.prompt, request.clips) = (nil, [], nil, [])
        #expect(
            WhisperOptions(request)
                == own.with { ($0.language, $0.hotwords, $0.initialPrompt, $0.clips) = (nil, nil, nil, []) })
    }

    /// Tokens and text are two forms of one prompt: the one that was set last holds.
    @Test func aNewPromptReplacesOneInTokens() {
        var request = own.with { $0.initialPromptTokens = [1, 2] }.request
        request.prompt = "Servus."
        let options = WhisperOptions(request)
        #expect(options.initialPrompt == "Servus." && options.initialPromptTokens == nil)
    }
}
