import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

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

/// The tokens of transformers.
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

    /// The model's folder; nil if there is none.
    static let model: URL? = {
        let bundled = Fixtures.root.appendingPathComponent("Sources/StenoBundledMoonshine/Resources/moonshine-tiny")
        let named = ProcessInfo.processInfo.environment["STENO_MOONSHINE_MODEL"].map { URL(fileURLWithPath: $0) }
        return named ?? (FileManager.default.fileExists(atPath: bundled.path) ? bundled : nil)
    }()
}
