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
    @Test(arguments: RandomMoonshine.whole) func encoderLogitsAndTexts(name: String) throws {
        let loaded = try LoadedMoonshine(name)
        let state = loaded.model.makeState()
        for clip in loaded.random.clips {
            let pass = try ForwardPass(loaded.model, samples: clip.samples, tokens: clip.tokens)
            #expect(pass.positions == clip.frames)
            #expect(relativeDistance(pass.encoder, clip.encoder) < 1e-5)
            for (own, golden) in zip(pass.logits, clip.logits) { #expect(relativeDistance(own, golden) < 2e-5) }
            if !clip.weights.isEmpty { #expect(largestDistance(pass.weights.mean(1), clip.weights) < 1e-5) }
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

/// A published model against transformers, on recordings of people.
///
/// The weights and the recordings are too large for the repository: STENO_MOONSHINE_MODEL names the model's folder, and
/// STENO_MOONSHINE_REFERENCES what `Tools/comparisons/moonshine_references.py` has written for it.
@Suite(.enabled(if: PublishedMoonshine.isThere, "STENO_MOONSHINE_MODEL and STENO_MOONSHINE_REFERENCES are not set"))
struct PublishedMoonshineTests {
    @Test(arguments: [Precision.float32, .int8]) func texts(precision: Precision) throws {
        let published = try PublishedMoonshine()
        let model = try MoonshineModel.load(folder: published.model, precision: precision)
        let state = model.makeState()
        var results: [String: PublishedMoonshine.Result] = [:], mismatches: [String] = []
        for (clip, samples) in published.clips {
            #expect(try state.encode(samples) == clip.frames)
            let tokens = try state.decode(limit: clip.limit).tokens.map(\.id)
            results[clip.name] = PublishedMoonshine.Result(tokens: tokens, text: model.tokenizer.decode(tokens))
            #expect(model.tokenizer.decode(clip.tokens) == clip.text)
            if tokens != clip.tokens { mismatches.append(clip.name) }
        }
        let equal = published.clips.count - mismatches.count
        print("\(precision): \(equal) of \(published.clips.count) texts token for token")
        #expect(precision == .int8 || mismatches.isEmpty)
        try published.write(results, to: "texts-\(precision).json")
    }

    @Test func encoder() throws {
        let published = try PublishedMoonshine()
        let model = try MoonshineModel.load(folder: published.model, precision: .float32)
        var frames: [String: PublishedMoonshine.Frames] = [:]
        for (clip, samples) in published.clips {
            let pass = try ForwardPass(model, samples: samples, tokens: [])
            let last = pass.encoder.suffix(clip.lastFrame.count)
            #expect(largestDistance(last, clip.lastFrame) < 1e-3, "\(clip.name)")
            frames[clip.name] = PublishedMoonshine.Frames(pass.encoder, width: clip.lastFrame.count)
        }
        try published.write(frames, to: "frames-float32.json")
    }
}

/// The model and the recordings that the environment names.
struct PublishedMoonshine {
    struct Clip: Decodable {
        var name: String
        var samples: Int
        var limit: Int
        var tokens: [Int]
        var text: String
        var frames: Int
        var lastFrame: [Float]
    }

    /// What Steno wrote.
    struct Result: Encodable {
        var tokens: [Int]
        var text: String
    }

    /// The beginnings of the first, the middle and the last frame, and the mean of all values.
    struct Frames: Encodable {
        var rows: [String: [Float]] = [:]
        var mean: Double

        init(_ values: [Float], width: Int) {
            let count = values.count / width
            for frame in [0, count / 2, count - 1] { rows["\(frame)"] = Array(values[(frame * width)...].prefix(8)) }
            mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
        }
    }

    let model: URL
    let references: URL
    let clips: [(clip: Clip, samples: [Float])]

    private static func folder(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment[name].map { URL(fileURLWithPath: $0) }
    }

    static let isThere = folder("STENO_MOONSHINE_MODEL") != nil && folder("STENO_MOONSHINE_REFERENCES") != nil

    init() throws {
        model = try #require(Self.folder("STENO_MOONSHINE_MODEL"))
        references = try #require(Self.folder("STENO_MOONSHINE_REFERENCES"))
        let list = try Data(contentsOf: references.appendingPathComponent("references.json"))
        let samples = try Data(contentsOf: references.appendingPathComponent("samples.f32"))
        var offset = 0
        clips = try JSONDecoder().decode([Clip].self, from: list).map { clip in
            defer { offset += 4 * clip.samples }
            return samples[offset..<offset + 4 * clip.samples].withUnsafeBytes { bytes in
                (
                    clip,
                    [Float](unsafeUninitializedCapacity: clip.samples) { buffer, count in
                        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
                        count = clip.samples
                    }
                )
            }
        }
    }

    /// Leaves results for `moonshine_references.py`.
    func write(_ results: some Encodable, to name: String) throws {
        try JSONEncoder().encode(results).write(to: references.appendingPathComponent(name))
    }
}
