import Foundation
import StenoCore
import StenoFastConformer
import StenoTestSupport

/// A small folder of ternary weights, one of whose files is damaged; each gives a model or a meaningful error.
enum TernaryFuzzSubject: String {
    case manifest = "ternary.json"
    /// The header of the weights, which has names, types and sizes.
    case header = "ternary-header"
    /// Packed weights and scales.
    case weights = "ternary-weights"

    /// Loads `count` mutations, each determined by its number, and prints the outcomes.
    func run(count: Int) throws {
        var outcome = FuzzOutcome()
        let folder = try TemporaryFolder(), original = Fixtures.file("ternary")
        for name in ["config.json", "tokenizer.json", "ternary.json", "model.safetensors"] {
            let bytes = try Data(contentsOf: original.appendingPathComponent(name))
            try bytes.write(to: folder.url.appendingPathComponent(name))
        }
        let file = folder.url.appendingPathComponent(self == .manifest ? "ternary.json" : "model.safetensors")
        let whole = try Data(contentsOf: file), header = 8 + Int(whole[0]) + Int(whole[1]) << 8
        let speech = Array(try TestAudio.speech().prefix(24_000))
        for round in 0..<count {
            var random = SplitMix64(seed: UInt64(round), name: rawValue)
            let mutated = mutate(whole, header, &random)
            outcome.largestFile = max(outcome.largestFile, mutated.count)
            try mutated.write(to: file)
            outcome.record(round: round, audio: speech) {
                FastConformerSpeechModel(
                    try FastConformerModel.open(folder.url, precision: round % 2 == 0 ? .int8 : .float32, threads: 1))
            }
        }
        outcome.report()
    }

    private func mutate(_ file: Data, _ header: Int, _ random: inout SplitMix64) -> Data {
        switch self {
        case .manifest: return Mutation.ofText(file, &random)
        case .header:
            guard Bool.random(using: &random) else { return Mutation.ofModel(file, [8..<header], &random) }
            return file.prefix(8) + Mutation.ofText(file[8..<header], &random) + file[header...]
        case .weights: return Mutation.ofModel(file, [header..<file.count], &random)
        }
    }
}
