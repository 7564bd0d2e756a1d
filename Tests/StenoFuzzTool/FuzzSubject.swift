import Foundation
import StenoCore
import StenoMoonshine
import StenoTestSupport
import StenoWhisper

/// A small model's file, damaged in many ways, each of which gives a model or a meaningful error.
enum FuzzSubject: String {
    case modelFloat32 = "model-float32"
    case modelInt8 = "model-int8"
    case aliases
    case config = "config.json"
    case vocabularyJSON = "vocabulary.json"
    case vocabularyText = "vocabulary.txt"
    case tokenizer = "tokenizer.json"
    /// A GGML file of q5_0 blocks.
    case ggml
    /// A Hugging Face folder, whose weights are damaged, or its other files.
    case safetensors = "model.safetensors"
    case index = "model.safetensors.index.json"
    case huggingFaceConfig = "hf-config.json"
    case generation = "generation_config.json"
    case vocab = "vocab.json"

    /// Loads `count` mutations, each determined by its number, and prints the outcomes.
    func run(count: Int) throws {
        var outcome = FuzzOutcome()
        try withModel { folder in
            let file = folder.appendingPathComponent(fileName)
            let mutate = try prepare(folder, file)
            for round in 0..<count {
                var random = SplitMix64(seed: UInt64(round), name: rawValue)
                // Foundation's buffers must not pile up: their memory is measured too.
                try autoreleasing {
                    let mutated = mutate(&random)
                    outcome.largestFile = max(outcome.largestFile, mutated.count)
                    try mutated.write(to: file)
                    outcome.use(folder, precision: round % 2 == 0 ? .int8 : .float32, round: round)
                }
            }
        }
        outcome.report()
    }

    /// Calls `body` with a folder of the format that is damaged.
    private func withModel(_ body: (URL) throws -> Void) throws {
        switch self {
        case .modelFloat32, .aliases: try SmallModel.with(.float32) { try body($0) }
        case .modelInt8, .config, .vocabularyJSON, .vocabularyText, .tokenizer:
            try SmallModel.with(.int8) { try body($0) }
        case .ggml: try SmallModel.withFolder(body)
        case .safetensors, .huggingFaceConfig, .generation, .vocab: try SmallModel.withHuggingFace(.float16, body)
        case .index: try SmallModel.withHuggingFace(.float16, parts: 3, body)
        }
    }

    private var fileName: String {
        switch self {
        case .modelFloat32, .modelInt8, .aliases: "model.bin"
        case .ggml: "ggml-small.bin"
        case .huggingFaceConfig: "config.json"
        default: rawValue
        }
    }

    /// Prepares the folder to read the file, and returns the mutation.
    private func prepare(_ folder: URL, _ file: URL) throws -> (inout SplitMix64) -> Data {
        let vocabulary = folder.appendingPathComponent("vocabulary.json")
        switch self {
        case .modelFloat32, .modelInt8:
            let (bytes, tables) = try ModelBinary(
                SmallModel.model, precision: self == .modelInt8 ? .int8 : .float32
            ).serialized()
            return { Mutation.ofModel(bytes, tables, &$0) }
        case .aliases:
            let binary = try ModelBinary(SmallModel.model)
            return { Mutation.ofAliases(binary, &$0) }
        case .ggml:
            // Whisper's vocabulary belongs to the format; all else is small.
            var shape = SmallModel.shape
            shape.vocabulary = 51_864
            let (bytes, tables) = try RandomModel(shape).ggml(.q5_0).serialized()
            return { Mutation.ofModel(bytes, tables, &$0) }
        case .safetensors:
            let (bytes, header) = HuggingFaceModelFiles(SmallModel.model.tensors, precision: .float16)
                .safetensors(SmallModel.model.tensors)
            // Numbers in the header, and anything anywhere.
            return { random in
                guard Bool.random(using: &random) else { return Mutation.ofModel(bytes, [header], &random) }
                return bytes.prefix(8) + Mutation.ofText(bytes[8..<header.upperBound], &random)
                    + bytes[header.upperBound...]
            }
        case .vocab:
            try FileManager.default.removeItem(at: folder.appendingPathComponent("tokenizer.json"))
            try HuggingFaceModelFiles.writeVocabulary(SmallModel.vocabulary, to: folder, isOld: true)
        case .config, .vocabularyJSON, .index, .huggingFaceConfig, .generation:
            break
        case .vocabularyText:
            try FileManager.default.removeItem(at: vocabulary)
            try Data(SmallModel.vocabulary.map { $0 + "\n" }.joined().utf8).write(to: file)
        case .tokenizer:
            try FileManager.default.removeItem(at: vocabulary)
            // Like Hugging Face, with tokens that are not text listed separately.
            var text: [String: Int] = [:]
            var added: [[String: Any]] = []
            for (id, token) in SmallModel.vocabulary.enumerated() {
                if token.hasPrefix("<|") { added.append(["id": id, "content": token]) } else { text[token] = id }
            }
            let content: [String: Any] = ["model": ["vocab": text], "added_tokens": added]
            try JSONSerialization.data(withJSONObject: content, options: .sortedKeys).write(to: file)
        }
        let bytes = try Data(contentsOf: file)
        return { Mutation.ofText(bytes, &$0) }
    }

    private func autoreleasing(_ body: () throws -> Void) throws {
        #if canImport(Darwin)
            try autoreleasepool(invoking: body)
        #else
            try body()
        #endif
    }
}

struct FuzzOutcome {
    private var loaded = 0
    private var decoded = 0
    private var codes: [String: Int] = [:]
    /// Errors of other types, empty messages, and endless decoding.
    private var faults: [String] = []
    var largestFile = 0

    /// Loads the folder's model and, if it loads, decodes two windows with both kinds of search.
    mutating func use(_ folder: URL, precision: Precision, round: Int) {
        record(round: round, options: Self.options(round: round)) {
            try WhisperModel.load(folder: folder, precision: precision, threads: 1)
        }
    }

    /// Loads a model and, if it loads, transcribes audio: nil is 2.5 s of noise.
    mutating func record(
        round: Int, options: TranscriptionOptions = TranscriptionOptions(), audio: [Float]? = nil,
        load: () throws -> any SpeechModel
    ) {
        do {
            let model = try load()
            loaded += 1
            try decode(model, options, audio, round: round)
            decoded += 1
        } catch let error as StenoError {
            codes[error.code.description, default: 0] += 1
            if error.code == .cancelled { faults.append("round \(round) does not end") }
            if error.message.count < 21 { faults.append("round \(round): \(error.message)") }
        } catch {
            faults.append("round \(round): \(error)")
        }
    }

    private static func options(round: Int) -> TranscriptionOptions {
        var options = TranscriptionOptions(language: round % 3 == 0 ? nil : "en")
        options.whisper.beamSize = 2
        options.whisper.bestOf = 2
        options.whisper.temperatures = round % 2 == 0 ? [0, 0.7] : [0.9]
        options.whisper.maxNewTokens = 10
        options.whisper.withoutTimestamps = round % 5 == 0
        options.wordTimestamps = round % 7 == 0
        return options
    }

    private func decode(
        _ model: any SpeechModel, _ options: TranscriptionOptions, _ audio: [Float]?, round: Int
    ) throws {
        var random = SplitMix64(seed: UInt64(round))
        let audio = audio ?? random.uniform(count: 40_000, centre: 0, span: 0.3)
        // Two windows of ten tokens at two temperatures need a few hundred checks, whatever a file says.
        let questions = Questions(yesFrom: 100_001)
        _ = try model.transcribe(ArraySampleSource(audio), options: options, isCancelled: questions.ask)
    }

    func report() {
        print("instrumented", PeakMemory.isInstrumented ? 1 : 0)
        print("loaded", loaded)
        print("decoded", decoded)
        for (code, count) in codes.sorted(by: { $0.key < $1.key }) { print("error-\(code)", count) }
        print("faults", faults.count)
        print("file", largestFile)
        print("peak", PeakMemory.bytes)
        for fault in faults.prefix(20) { FileHandle.standardError.write(Data((fault + "\n").utf8)) }
    }
}

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
