import Foundation
import StenoCore
import StenoFastConformer
import StenoTestSupport

/// A small `.nemo` file, damaged in one of the formats within it, or a GGUF file of transcribe.cpp; each gives a model or a
/// meaningful error.
enum NeMoFuzzSubject: String {
    /// The headers of the archive.
    case archive = "nemo-archive"
    case configuration = "model_config.yaml"
    case vocabulary = "tokenizer.model"
    /// The directory of the zip archive, at the end of the weights.
    case directory = "nemo-zip"
    /// The description of the weights.
    case pickle = "data.pkl"
    /// Any byte.
    case anything = "nemo"
    /// Any byte of a compressed archive.
    case compressed = "nemo-gzip"
    /// The description of the model and of the tensors in a GGUF file.
    case gguf = "parakeet-gguf"

    /// Loads `count` mutations, each determined by its number, and prints the outcomes.
    func run(count: Int) throws {
        var outcome = FuzzOutcome()
        let folder = try TemporaryFolder()
        // The models alternate: with two heads and batch norms, streaming and with prompts.
        let names =
            switch self {
            case .compressed: ["nemo/compressed.nemo"]
            case .gguf: ["gguf/hybrid.gguf", "gguf/prompted.gguf"]
            default: ["nemo/hybrid.nemo", "nemo/prompted.nemo"]
            }
        let url = folder.url.appendingPathComponent(self == .gguf ? "model.gguf" : "model.nemo")
        let files = try names.map { try Data(contentsOf: Fixtures.file($0)) }
        let speech = Array(try TestAudio.speech().prefix(24_000))
        let places = try files.map { try place(in: $0, folder.url) }
        for round in 0..<count {
            var random = SplitMix64(seed: UInt64(round), name: rawValue)
            let index = round % files.count
            let mutated = mutate(files[index], places[index], &random)
            outcome.largestFile = max(outcome.largestFile, mutated.count)
            try mutated.write(to: url)
            outcome.record(round: round, audio: speech) {
                FastConformerSpeechModel(
                    try FastConformerModel.open(url, precision: round % 4 < 2 ? .int8 : .float32, threads: 1))
            }
        }
        outcome.report()
    }

    /// The bytes that are damaged.
    private func place(in file: Data, _ folder: URL) throws -> [Range<Int>] {
        // A wrong header, a wrong end, or anything.
        if self == .compressed { return [0..<20, file.count - 8..<file.count, 0..<file.count] }
        if self == .gguf { return [0..<4000, 4000..<10_000] }
        let url = folder.appendingPathComponent("whole.nemo")
        try file.write(to: url)
        let archive = try TarArchive(path: url.path)
        func range(_ suffix: String) throws -> Range<Int> {
            guard let entry = archive.entries.first(where: { $0.key.hasSuffix(suffix) }) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return entry.value
        }
        let weights = try range("model_weights.ckpt")
        switch self {
        case .archive: return archive.entries.values.map { max(0, $0.lowerBound - 512)..<$0.lowerBound }
        case .configuration: return [try range("model_config.yaml")]
        case .vocabulary: return [try range("tokenizer.model")]
        case .directory: return [weights.upperBound - 6000..<weights.upperBound]
        case .pickle: return [weights.lowerBound..<weights.lowerBound + 7500]
        case .anything, .compressed, .gguf: return [0..<file.count]
        }
    }

    private func mutate(_ file: Data, _ places: [Range<Int>], _ random: inout SplitMix64) -> Data {
        switch self {
        case .configuration:
            // What follows stays in place: a shorter text is filled up with spaces.
            let place = places[0]
            let text = Mutation.ofText(file[place], &random).prefix(place.count)
            return file[..<place.lowerBound] + text + Data(repeating: 0x20, count: place.count - text.count)
                + file[place.upperBound...]
        case .archive: return withChecksums(Mutation.ofModel(file, places, &random), places, &random)
        case .vocabulary, .directory, .pickle, .anything, .compressed, .gguf:
            return Mutation.ofModel(file, places, &random)
        }
    }

    /// Corrects the checksums of most headers, so that what they protect is read.
    private func withChecksums(_ file: Data, _ places: [Range<Int>], _ random: inout SplitMix64) -> Data {
        guard Int.random(in: 0..<4, using: &random) > 0 else { return file }
        var file = file
        for header in places where header.upperBound <= file.count {
            let start = header.lowerBound
            let sum = (0..<512).reduce(0) { $0 + ((148..<156).contains($1) ? 32 : Int(file[start + $1])) }
            let digits = String(sum, radix: 8)
            let field = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            file.replaceSubrange(start + 148..<start + 156, with: Array(field.utf8.suffix(6)) + [0, 0x20])
        }
        return file
    }
}
