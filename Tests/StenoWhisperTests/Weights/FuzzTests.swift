import Foundation
import StenoTestSupport
import Testing

@testable import StenoWhisper

/// Model files with a few wrong bytes: an error or a model, never a crash, a hang, or memory beyond reason.
///
/// `STENO_FUZZ_COUNT=10000 swift test -c release --filter FuzzTests` looks longer.
struct FuzzTests {
    static var count: Int {
        let wanted = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"].flatMap { Int($0) }
        return wanted ?? (isRelease ? 300 : 20)
    }

    struct Outcome {
        var loaded = 0, decoded = 0
        var codes: [WhisperError.Code: Int] = [:]
    }

    @Test(arguments: [StoredPrecision.float32, .int8]) func mutatedModels(stored: StoredPrecision) throws {
        let (bytes, tables) = try ModelBinary(SmallModel.model, precision: stored).serialized()
        var outcome = Outcome()
        try SmallModel.withFolder { folder in
            try SmallModel.writeTexts(to: folder)
            for round in 0..<Self.count {
                var random = SplitMix64(seed: UInt64(round), name: stored.rawValue)
                let mutated = Self.mutate(bytes, tables, &random)
                try mutated.write(to: folder.appendingPathComponent("model.bin"))
                Self.use(folder, precision: round % 2 == 0 ? .int8 : .float32, seed: UInt64(round), &outcome)
            }
        }
        print("fuzz \(stored): \(outcome.loaded) loaded, \(outcome.decoded) decoded, errors \(outcome.codes)")
        // Some of both, or the mutations are too wild or too tame to tell anything.
        #expect(outcome.loaded < Self.count)
        #expect(outcome.decoded > 0 || Self.count < 100)
        #expect(Self.peakMemory < 1 << 31)
    }

    @Test(arguments: ["config.json", "vocabulary.json"]) func mutatedTexts(name: String) throws {
        var outcome = Outcome()
        try SmallModel.with(.int8) { folder in
            let url = folder.appendingPathComponent(name)
            let bytes = try Data(contentsOf: url)
            for round in 0..<(Self.count / 3) {
                var random = SplitMix64(seed: UInt64(round), name: name)
                var mutated = bytes
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let place = Int.random(in: 0..<mutated.count, using: &random)
                    // Digits and signs more often than not: numbers that parse are the ones that do harm.
                    mutated[place] =
                        Bool.random(using: &random)
                        ? UInt8.random(in: 43...57, using: &random) : UInt8.random(in: 0...255, using: &random)
                }
                try mutated.write(to: url)
                Self.use(folder, precision: .int8, seed: UInt64(round), &outcome)
            }
        }
        print("fuzz \(name): \(outcome.loaded) loaded, \(outcome.decoded) decoded, errors \(outcome.codes)")
        #expect(outcome.loaded < Self.count / 3)
    }

    /// Loads the folder's model and, if it loads, decodes two windows with both kinds of search.
    private static func use(_ folder: URL, precision: Precision, seed: UInt64, _ outcome: inout Outcome) {
        do {
            let model = try WhisperModel.load(folder: folder, precision: precision, threads: 1)
            outcome.loaded += 1
            var options = DecodingOptions(language: seed % 3 == 0 ? nil : "en")
            options.beamSize = 2
            options.bestOf = 2
            options.temperatures = seed % 2 == 0 ? [0, 0.7] : [0.9]
            options.maxNewTokens = 10
            options.withoutTimestamps = seed % 5 == 0
            options.wordTimestamps = seed % 7 == 0
            let sound = TestSounds.noise(seed: seed, count: 40_000, gain: 0.3)
            let start = Date()
            _ = try model.transcribe(ArraySampleSource(sound), options: options) {
                // Whatever a file says, so short a sound is done in a moment.
                Date().timeIntervalSince(start) > 60
            }
            outcome.decoded += 1
        } catch let error as WhisperError {
            outcome.codes[error.code, default: 0] += 1
            if error.code == .cancelled { Issue.record("round \(seed) does not end") }
            #expect(error.message.count > 20)
        } catch {
            Issue.record(error, "round \(seed)")
        }
    }

    /// Wrong bytes, mostly among the names, dimensions and sizes; sometimes a file cut or joined in the wrong place.
    static func mutate(_ bytes: Data, _ tables: [Range<Int>], _ random: inout SplitMix64) -> Data {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let table = tables[Int.random(in: 0..<tables.count, using: &random)]
            let inTables = Int.random(in: 0..<4, using: &random) > 0
            let place = Int.random(in: inTables ? table : 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3 where place < mutated.count: mutated[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4...5 where place < mutated.count: mutated[place] = UInt8.random(in: 0...255, using: &random)
            case 6...8 where place + 4 <= mutated.count:
                let values: [UInt32] = [0, 1, 2, 63, 64, 65, 128, 10_000, .max, .max / 2, 0x7FC0_0000, 0x7F80_0000]
                let value = values[Int.random(in: 0..<values.count, using: &random)]
                withUnsafeBytes(of: value.littleEndian) { mutated.replaceSubrange(place..<place + 4, with: $0) }
            case 9: mutated = mutated.prefix(place)
            case 10 where place < mutated.count: mutated.removeSubrange(place..<min(mutated.count, place + 9))
            case 11 where place < mutated.count:
                mutated.insert(contentsOf: mutated[table.clamped(to: 0..<mutated.count)], at: place)
            default: break
            }
        }
        return mutated
    }

    /// The most memory this process ever had, in bytes; 0 where it cannot be asked.
    static var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
    }

    // MARK: Weights that are not numbers

    @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func weightsThatAreNoWeights(value: Float) throws {
        let names = [
            "encoder/conv1/weight", "encoder/layer_0/ffn/linear_0/weight",
            "encoder/layer_0/self_attention/linear_0/bias",
            "decoder/embeddings/weight", "decoder/layer_0/attention/linear_1/weight", "decoder/layer_norm/gamma",
            "decoder/position_encodings/encodings",
        ]
        for name in names {
            for isWhole in [true, false] {
                try SmallModel.with(change: { binary in
                    guard let variable = binary[name] else { return }
                    var floats = [Float](repeating: value, count: variable.data.count / 4)
                    if !isWhole {
                        variable.data.withUnsafeBytes { bytes in
                            for index in 1..<floats.count {
                                floats[index] = bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
                            }
                        }
                    }
                    binary[name] = ModelBinary.Variable(name, variable.dimensions, floats: floats)
                }) { folder in
                    for (round, precision) in [Precision.float32, .int8, .float32].enumerated() {
                        var outcome = Outcome()
                        Self.use(folder, precision: precision, seed: UInt64(round), &outcome)
                        // A NaN or an infinity is found at once; large numbers may make some later.
                        #expect(outcome.loaded == (value.isFinite ? 1 : 0), "\(name)")
                        #expect(value.isFinite || outcome.codes.keys.contains(.modelDamaged), "\(name)")
                        #expect(outcome.codes.keys.allSatisfy { $0 == .modelDamaged })
                    }
                }
            }
        }
    }
}
