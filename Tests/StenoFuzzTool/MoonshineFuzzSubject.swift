import Foundation
import StenoCore
import StenoMoonshine
import StenoTestSupport

/// A small Moonshine folder with one damaged file; each gives a model or a meaningful error.
enum MoonshineFuzzSubject: String {
    case weights = "moonshine-model.safetensors"
    case config = "moonshine-config.json"
    case tokenizer = "moonshine-tokenizer.json"

    /// Loads `count` mutations, each determined by its number, and prints the outcomes.
    func run(count: Int) throws {
        var outcome = FuzzOutcome()
        // The generations alternate.
        let folders = try ["whole-36", "streaming-16"].map { name in
            let folder = try TemporaryFolder()
            try RandomMoonshine(name).write(to: folder.url)
            return folder
        }
        let name = String(rawValue.dropFirst("moonshine-".count))
        let files = folders.map { $0.url.appendingPathComponent(name) }
        let whole = try files.map { try Data(contentsOf: $0) }
        let speech = Array(try TestAudio.speech().prefix(24_000))
        for round in 0..<count {
            var random = SplitMix64(seed: UInt64(round), name: rawValue)
            let index = round % files.count
            let mutated = mutate(whole[index], &random)
            outcome.largestFile = max(outcome.largestFile, mutated.count)
            try mutated.write(to: files[index])
            outcome.record(round: round, audio: speech) {
                try MoonshineSpeechModel.load(
                    folders[index].url, precision: round % 4 < 2 ? .int8 : .float32, threads: 1)
            }
        }
        outcome.report()
    }

    private func mutate(_ file: Data, _ random: inout SplitMix64) -> Data {
        switch self {
        case .config, .tokenizer: return Mutation.ofText(file, &random)
        case .weights:
            // Numbers in the header, and anything anywhere.
            let length = file.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            let header = 8..<8 + length
            guard Bool.random(using: &random) else { return Mutation.ofModel(file, [header], &random) }
            return file.prefix(8) + Mutation.ofText(file[header], &random) + file[header.upperBound...]
        }
    }
}
