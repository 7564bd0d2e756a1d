import Foundation
import StenoCore
import StenoTestSupport

@testable import StenoFastConformer

/// Small random models that hear speech, each loaded once.
enum SpeechModels {
    /// A model for whole utterances.
    static let parakeet = Result { try load(FastConformerGoldens.writeParakeet) }
    /// A model that streams, with prompts.
    static let nemotron = Result { try load(FastConformerGoldens.writeNemotron) }

    private static func load(_ write: (URL) throws -> Void) throws -> FastConformerSpeechModel {
        let folder = try TemporaryFolder()
        try write(folder.url)
        return try FastConformerSpeechModel.load(folder.url, precision: .float32, threads: 1)
    }

    /// Three seconds of noise.
    static var noise: [Float] {
        var random = SplitMix64(seed: 1)
        return random.uniform(count: 48_000, centre: 0, span: 0.3)
    }
}
