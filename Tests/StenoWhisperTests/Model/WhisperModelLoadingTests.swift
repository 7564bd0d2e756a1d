import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct WhisperModelLoadingTests {
    typealias Variable = ModelBinary.Variable

    static func error(
        _ stored: StoredPrecision = .float32, precision: Precision = .int8,
        change: (inout ModelBinary) throws -> Void = { _ in }, folder: (URL) throws -> Void = { _ in }
    ) throws -> StenoError? {
        try SmallModel.with(stored, change: change) { url in
            try folder(url)
            return #expect(throws: StenoError.self) { try WhisperModel.load(folder: url, precision: precision) }
        }
    }

    // MARK: Valid models

    @Test(arguments: StoredPrecision.allCases, [Precision.float32, .int8])
    func everyStoredPrecisionGivesTheSameModel(stored: StoredPrecision, precision: Precision) throws {
        let exact = try SmallModel.load()
        let model = try SmallModel.with(stored) { try WhisperModel.load(folder: $0, precision: precision, threads: 1) }
        #expect(model.precision == precision)
        #expect(model.source.storedPrecision == stored.rawValue)
        let expected = try Self.encoded(by: exact), got = try Self.encoded(by: model)
        let scale = Double(expected.reduce(0) { max($0, abs($1)) })
        let error = largestDistance(expected, got)
        switch (stored, precision) {
        case (.float32, .float32): #expect(error == 0)
        case (.float16, .float32): #expect(error < 0.005 * scale)
        default: #expect(error < 0.15 * scale)
        }
    }

    /// The encoder's output for a window of noise.
    static func encoded(by model: WhisperModel) throws -> [Float] {
        let state = try EncoderState(
            shape: model.shape, encoder: model.encoder, precision: model.precision,
            context: ComputeContext(pool: model.pool))
        var random = SplitMix64(seed: 1)
        let mel = random.uniform(count: model.shape.windowFrames * model.shape.melCount, centre: 0, span: 1)
        state.frames.update(from: mel, count: mel.count)
        model.encoder.forward(positions: model.shape.audioContext, state: state, checkCancellation: {})
        return Array(UnsafeBufferPointer(start: state.output, count: model.shape.audioContext * model.shape.width))
    }

    @Test func theModelReportsItsProperties() throws {
        try SmallModel.with(.float16) { folder in
            let model = try WhisperModel.load(folder: folder, threads: 2)
            let shape = SmallModel.shape
            #expect(model.precision == .int8)
            #expect(model.threads == 2)
            #expect(model.shape.width == 64)
            #expect(model.shape.vocabularySize == shape.vocabulary)
            #expect(model.shape.audioContext == 100)
            #expect(model.shape.windowFrames == 200)
            #expect(model.shape.textContext == 64)
            #expect(model.languages == ["en", "de", "fr", "es"])
            #expect(model.isMultilingual)
            #expect(model.source.format == "CTranslate2 model.bin, version 6")
            let values = RandomModel(shape).dimensions.values.reduce(0) { $0 + $1.reduce(1, *) }
            // The encoder's positional embedding is a fixed table of sines.
            #expect(model.shape.parameterCount == values - shape.audioContext * shape.width)
            let size = try folder.appendingPathComponent("model.bin").resourceValues(forKeys: [.fileSizeKey]).fileSize
            #expect(model.source.byteCount == size)
        }
    }

    /// An old conversion without head counts, and a file without the zero bias of the key projection.
    @Test func optionalPartsMayBeMissing() throws {
        let model = try SmallModel.with(change: {
            $0["encoder/num_heads"] = nil
            $0["decoder/num_heads"] = nil
            $0.aliases = []
        }) { try WhisperModel.load(folder: $0) }
        #expect(model.shape.encoderHeads == 1)
        #expect(model.shape.decoderHeads == 1)
    }

    // MARK: Invalid models

    @Test func everyMissingTensorIsReported() throws {
        let all = try ModelBinary(SmallModel.model)
        for variable in all.variables where !variable.dimensions.isEmpty && !variable.name.hasSuffix("/bias") {
            let error = try Self.error(change: { $0[variable.name] = nil })
            #expect([.modelDamaged, .modelUnsupported].contains(error?.code), "without \(variable.name)")
        }
    }

    @Test func everyWrongShapeIsRejected() throws {
        let all = try ModelBinary(SmallModel.model)
        for variable in all.variables where !variable.dimensions.isEmpty {
            // The same values in another shape, and with one row less.
            var turned = variable
            turned.dimensions = variable.dimensions.reversed()
            var cut = variable
            cut.dimensions[0] -= 1
            cut.data = cut.data.dropLast(cut.data.count / Int(variable.dimensions[0]))
            for wrong in [turned, cut] where wrong.dimensions != variable.dimensions {
                // A different number of positions is a valid model, and fewer tokens than the vocabulary is the test
                // below.
                if wrong == cut, wrong.name.hasSuffix("encodings") { continue }
                let error = try Self.error(change: { $0[variable.name] = wrong })
                #expect([.modelDamaged, .modelUnsupported].contains(error?.code), "\(wrong.name) \(wrong.dimensions)")
            }
        }
    }

    @Test func headsHave64Channels() throws {
        for heads in [0, 2, -1, 1000, Int16.min] {
            for side in ["encoder", "decoder"] {
                let data = Data([UInt8(truncatingIfNeeded: heads), UInt8(truncatingIfNeeded: heads >> 8)])
                let error = try Self.error(change: {
                    $0["\(side)/num_heads"] = Variable("\(side)/num_heads", [], kind: 2, data: data)
                })
                #expect(error?.code == .modelUnsupported && error?.message.contains("64 channels") == true)
            }
        }
    }

    @Test func vocabulariesOfOtherModelsAreRejected() throws {
        for change: @Sendable (inout [String]) -> Void in [
            { $0.append("<|30.02|>") }, { $0.insert("qu", at: 300) }, { $0 += (0..<50).map { "more\($0)" } },
        ] {
            let error = try Self.error(folder: { folder in
                var words = SmallModel.vocabulary
                change(&words)
                try SmallModel.writeTexts(to: folder, vocabulary: words)
            })
            #expect(error?.code == .modelDamaged && error?.message.contains("vocabulary") == true)
        }
        // Vocabularies without languages are rejected.
        let error = try Self.error(folder: { folder in
            let words = SmallModel.vocabulary.map {
                ["<|en|>", "<|de|>", "<|fr|>", "<|es|>"].contains($0) ? "zz\($0.count)" : $0
            }
            let start = words.firstIndex(of: "<|startoftranscript|>") ?? 0
            var moved = words
            moved.swapAt(start + 1, moved.count - 1)
            moved[start + 1] = "<|translate|>"
            try SmallModel.writeTexts(to: folder, vocabulary: moved)
        })
        #expect(error?.code == .modelUnsupported)
    }

    @Test func invalidIdsInConfigurationsAreRejected() throws {
        for ids in [[-1], [SmallModel.shape.vocabulary], [1, Int.max], [Int.min]] {
            for key in ["suppress_ids", "suppress_ids_begin"] {
                let error = try Self.error(folder: { try SmallModel.writeTexts(to: $0, config: [key: ids]) })
                #expect(error?.code == .modelDamaged, "\(key) \(ids)")
            }
        }
        for text in ["", "[]", "{\"suppress_ids\": \"no\"}", "{\"layer_norm_epsilon\": 1e999}"] {
            let error = try Self.error(folder: {
                try Data(text.utf8).write(to: $0.appendingPathComponent("config.json"))
            })
            #expect(error?.code == .modelDamaged && error?.message.contains("config.json") == true, "\(text)")
        }
    }

    @Test func invalidFoldersAndThreadCountsAreRejected() throws {
        try SmallModel.with { folder in
            let file = folder.appendingPathComponent("model.bin")
            let empty = try TemporaryFolder()
            for (url, hint) in [
                (folder.appendingPathComponent("nothing"), "no model folder"), (file, "give the model's folder"),
                (empty.url, "no model.bin"),
            ] {
                expectError(.modelNotFound, says: hint) { try WhisperModel.load(folder: url) }
            }
            try FileManager.default.removeItem(at: folder.appendingPathComponent("vocabulary.json"))
            #expect(throws: StenoError.self) { try WhisperModel.load(folder: folder) }
        }
        try SmallModel.with { folder in
            for threads in [0, -1, 1025, Int.max] {
                expectError(.invalidOption) { try WhisperModel.load(folder: folder, threads: threads) }
            }
        }
    }

    /// Layers, widths and contexts of no Whisper model.
    @Test func invalidShapesAreRejected() throws {
        let changes: [(String, WritableKeyPath<RandomModel.Shape, Int>, Int)] = [
            ("text", \.textContext, 513), ("text", \.textContext, 31), ("layers", \.encoderLayers, 0),
            ("layers", \.decoderLayers, 0), ("mel", \.mels, 513), ("audio", \.audioContext, 10_001),
            ("tokens", \.vocabulary, 999),
        ]
        for (word, size, value) in changes {
            var shape = SmallModel.shape
            shape[keyPath: size] = value
            let other = try ModelBinary(RandomModel(shape))
            let error = try Self.error(change: { $0 = other })
            #expect(error?.code == .modelUnsupported && error?.message.contains(word) == true)
        }
    }

    // MARK: Malicious files

    /// Two kilobytes of aliases describe a whole layer that the file does not contain.
    @Test func layersOfAliasesAreRejected() throws {
        let prefix = "decoder/layer_0/"
        func aliased(_ layers: Int, _ isWanted: (String) -> Bool) throws -> StenoError? {
            try Self.error(change: { binary in
                let names = binary.variables.map(\.name).filter { $0.hasPrefix(prefix) && isWanted($0) }
                for layer in 1..<layers {
                    binary.aliases += names.map { ("decoder/layer_\(layer)/" + $0.dropFirst(prefix.count), $0) }
                }
            })
        }
        let shared = try aliased(20) { _ in true }
        #expect(shared?.code == .modelDamaged && shared?.message.contains("several of them") == true)
        let counted = try aliased(200) { $0.hasSuffix("self_attention/layer_norm/gamma") }
        #expect(counted?.code == .modelUnsupported && counted?.message.contains("128 layers") == true)
    }

    /// Every kind of tensor: linear weights and biases, norms, the embedding, positions, convolutions, scales.
    ///
    /// The first or the last value in either precision, in turn; all four for each tensor with `STENO_LONG`.
    @Test(arguments: [Float.nan, .infinity, -.infinity]) func nonFiniteWeightsAreRejected(value: Float) throws {
        let all = try ModelBinary(SmallModel.model).variables.filter { !$0.dimensions.isEmpty }
        for (index, variable) in all.enumerated() {
            for kind in isLong ? Array(0..<4) : [(index + (value.isNaN ? 0 : value > 0 ? 1 : 2)) % 4] {
                let place = kind % 2 == 0 ? 0 : variable.data.count / 4 - 1
                let error = try Self.error(
                    precision: kind < 2 ? .float32 : .int8,
                    change: { binary in
                        var damaged = variable
                        withUnsafeBytes(of: value) {
                            damaged.data.replaceSubrange(4 * place..<4 * place + 4, with: $0)
                        }
                        try #require(binary[variable.name] != nil)
                        binary[variable.name] = damaged
                    })
                #expect(error?.code == .modelDamaged, "\(variable.name)")
                #expect(error?.message.contains("not a number") == true, "\(variable.name)")
            }
        }
        let error = try Self.error(
            .int8,
            change: { binary in
                let name = "decoder/embeddings/weight_scale"
                var scales = try #require(binary[name])
                withUnsafeBytes(of: value) { scales.data.replaceSubrange(0..<4, with: $0) }
                binary[name] = scales
            })
        #expect(error?.code == .modelDamaged && error?.message.contains("weight_scale") == true)
    }

    /// Values at the limits of float32 can be loaded, and decoding with them ends: with numbers, or with an error.
    @Test(arguments: [Float.greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func extremeFiniteWeights(value: Float) throws {
        var damaged = 0
        for name in [
            "encoder/conv1/weight", "encoder/layer_0/ffn/linear_0/weight",
            "encoder/layer_0/self_attention/linear_0/bias",
            "decoder/embeddings/weight", "decoder/layer_0/attention/linear_1/weight", "decoder/layer_norm/gamma",
            "decoder/position_encodings/encodings",
        ] {
            for precision in [Precision.float32, .int8] {
                try SmallModel.with(change: { binary in
                    let variable = try #require(binary[name])
                    binary[name] = Variable(
                        name, variable.dimensions,
                        floats: [Float](repeating: value, count: variable.data.count / 4))
                }) { folder in
                    let model = try WhisperModel.load(folder: folder, precision: precision, threads: 1)
                    var random = SplitMix64(seed: 1)
                    let audio = random.uniform(count: 40_000, centre: 0, span: 0.3)
                    var options = TranscriptionOptions(language: "en")
                    options.whisper.maxNewTokens = 10
                    var result: Result<Transcript, any Error>?
                    let feed = ArrayFeed([{ ArraySampleSource(audio) }], options)
                    try model.transcribe(feed, lanes: 1, options, isCancelled: { false }) {
                        if let found = $1.result { result = found.transcript }
                    }
                    do {
                        let transcript = try #require(result).get()
                        #expect(transcript.segments.allSatisfy { $0.averageLogProbability.isFinite }, "\(name)")
                    } catch let error as StenoError {
                        #expect(error.code == .modelDamaged, "\(name)")
                        damaged += 1
                    }
                }
            }
        }
        #expect(value == .leastNonzeroMagnitude || damaged > 0, "the largest floats overflow")
    }

    /// `cp` over the file of a model that is being loaded; at any moment it is an error, and never a signal.
    @Test(arguments: StoredPrecision.allCases, [0, 5000]) func filesCanBecomeShorter(
        stored: StoredPrecision, length: UInt64
    ) throws {
        for moment in [1, 2, 3, 20, 60] {
            try SmallModel.with(stored) { folder in
                let handle = try FileHandle(forWritingTo: folder.appendingPathComponent("model.bin"))
                var calls = 0
                expectError(.modelDamaged, says: "model.bin changed while it was read") {
                    try WhisperModel.load(
                        folder: folder, threads: 1,
                        isCancelled: {
                            calls += 1
                            if calls == moment { try? handle.truncate(atOffset: length) }
                            return false
                        })
                }
            }
        }
    }

    /// Without it, the layers after it would be taken for the end of the model.
    @Test(arguments: ["encoder", "decoder"]) func aMissingLayerIsReported(side: String) throws {
        var shape = SmallModel.shape
        (shape.encoderLayers, shape.decoderLayers) = (3, 3)
        let large = try ModelBinary(RandomModel(shape))
        let error = try Self.error(change: { binary in
            binary = large
            for name in large.variables.map(\.name) where name.hasPrefix("\(side)/layer_1/") { binary[name] = nil }
        })
        #expect(error?.code == .modelDamaged && error?.message.contains("\(side) layer") == true, "\(error as Any)")
    }

    // MARK: Other formats

    @Test func otherFormatsAreNamed() throws {
        for (head, name) in [("GGUF", "GGUF"), ("PK\u{3}\u{4}", "PyTorch")] {
            try SmallModel.with { folder in
                try Data((head + "12345678").utf8).write(to: folder.appendingPathComponent("model.bin"))
                expectError(.modelUnsupported, says: name, "CTranslate2") { try WhisperModel.load(folder: folder) }
            }
        }
    }

    @Test(arguments: [
        ("preprocessor_config.json", #"{"feature_size": 128}"#, "mel bands"),
        ("config.json", #"{"layer_norm_epsilon": -1}"#, "layer_norm_epsilon"),
        ("config.json", #"{"layer_norm_epsilon": 1}"#, "layer_norm_epsilon"),
        ("config.json", #"{"layer_norm_epsilon": 1e30}"#, "layer_norm_epsilon"),
    ])
    func contradictoryAndInvalidSettingsAreRejected(file: String, json: String, message: String) throws {
        let error = try Self.error(folder: { try Data(json.utf8).write(to: $0.appendingPathComponent(file)) })
        #expect(error?.code == .modelDamaged && error?.message.contains(message) == true)
    }
}
