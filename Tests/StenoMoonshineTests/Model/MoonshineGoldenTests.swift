import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

/// The forward pass against transformers, with small random models.
///
/// Their heads have 36, 52 and 24 channels, as tiny's, base's and no published model's; every table of kernels runs these
/// tests.
struct MoonshineGoldenTests {
    @Test(arguments: RandomMoonshine.whole) func encoderAndLogits(name: String) throws {
        let loaded = try LoadedMoonshine(name)
        for clip in loaded.random.clips {
            let pass = try ForwardPass(loaded.model, samples: clip.samples, tokens: clip.tokens)
            #expect(pass.positions == clip.frames)
            #expect(relativeDistance(pass.encoder, clip.encoder) < 1e-5)
            for (own, golden) in zip(pass.logits, clip.logits) { #expect(relativeDistance(own, golden) < 2e-5) }
            if !clip.weights.isEmpty { #expect(largestDistance(pass.weights.mean(1), clip.weights) < 1e-5) }
        }
    }

    @Test(arguments: RandomMoonshine.whole) func texts(name: String) throws {
        let loaded = try LoadedMoonshine(name)
        let state = loaded.model.makeState()
        for clip in loaded.random.clips {
            #expect(try state.encode(clip.samples) == clip.frames)
            let decoding = try state.decode(limit: 12)
            #expect(decoding.tokens.map(\.id) == clip.tokens)
            #expect((decoding.endLogProbability != nil) == (clip.tokens.count < 12))
            for (token, logits) in zip(decoding.tokens, clip.logits) {
                let ordered = logits.sorted(by: >)
                #expect(abs(token.margin - (ordered[0] - ordered[1])) < 1e-4)
            }
        }
    }

    /// The rounding to eight bits changes a random model's numbers a little, and mostly not its direction.
    @Test(arguments: RandomMoonshine.whole) func int8IsCloseToFloat32(name: String) throws {
        let loaded = try LoadedMoonshine(name, precision: .int8)
        for clip in loaded.random.clips {
            let pass = try ForwardPass(loaded.model, samples: clip.samples, tokens: clip.tokens)
            #expect(cosine(pass.encoder, clip.encoder) > 0.999)
            for (own, golden) in zip(pass.logits, clip.logits) { #expect(cosine(own, golden) > 0.99) }
        }
    }
}

/// Moonshine tiny against transformers with the published weights, on recordings of the repository.
///
/// The weights are those of StenoBundledMoonshine, in int8, or in the folder that STENO_MOONSHINE_MODEL names.
@Suite(.enabled(if: TinyGoldens.model != nil, "there is no Moonshine tiny")) struct TinyGoldenTests {
    @Test(arguments: [Precision.float32, .int8]) func texts(precision: Precision) throws {
        let model = try MoonshineModel.load(folder: #require(TinyGoldens.model), precision: precision)
        #expect(model.parameterCount == 27_092_736)
        let state = model.makeState()
        for clip in try TinyGoldens.clips() {
            let samples = try TestAudio.samplesOfPlainWAV(Fixtures.root.appendingPathComponent(clip.file))
            #expect(try state.encode(samples) == clip.frames)
            let decoding = try state.decode(limit: clip.limit)
            #expect(decoding.tokens.map(\.id) == clip.tokens)
            #expect(model.tokenizer.decode(clip.tokens) == clip.text)
            #expect(decoding.endLogProbability != nil)
            let words = model.tokenizer.words(clip.tokens).map(\.text)
            #expect(words.joined().dropFirst() == clip.text)
            #expect(words.count == clip.text.split(separator: " ").count)
        }
    }
}

struct TinyGoldens: Decodable {
    struct Clip: Decodable {
        var file: String
        var frames: Int
        var limit: Int
        var tokens: [Int]
        var text: String
    }

    var clips: [Clip]

    static func clips() throws -> [Clip] {
        let file = try Data(contentsOf: Fixtures.file("moonshine/tiny.json"))
        return try JSONDecoder().decode(Self.self, from: file).clips
    }

    static let model: URL? = {
        let bundled = Fixtures.root.appendingPathComponent("Sources/StenoBundledMoonshine/Resources/moonshine-tiny")
        let named = ProcessInfo.processInfo.environment["STENO_MOONSHINE_MODEL"].map { URL(fileURLWithPath: $0) }
        return named ?? (FileManager.default.fileExists(atPath: bundled.path) ? bundled : nil)
    }()
}
