import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoMoonshine

struct MoonshineLoadingTests {
    private func load(
        change: (inout [String: Any]) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false },
        prepare: (URL) throws -> Void = { _ in }
    ) throws -> MoonshineModel {
        let folder = try TemporaryFolder()
        try RandomMoonshine("whole-36").write(to: folder.url, change: change)
        try prepare(folder.url)
        return try withExtendedLifetime(folder) {
            try MoonshineModel.load(folder: folder.url, threads: 1, isCancelled: isCancelled)
        }
    }

    private func code(_ change: (inout [String: Any]) -> Void) -> StenoError.Code? {
        do {
            _ = try load(change: change)
            return nil
        } catch { return (error as? StenoError)?.code }
    }

    @Test func properties() throws {
        let model = try load()
        #expect(model.precision == .int8)
        #expect(model.source.storedPrecision == "float32")
        #expect(model.threads == 1)
        let tensors = try RandomMoonshine("whole-36").parameterCount
        #expect(model.parameterCount == tensors)
        #expect(model.tokenizer.vocabulary.count == 97)
        #expect(model.configuration.decoder.textContext == 64)
        #expect(try load(change: { $0["eos_token_id"] = [3, 2] }).configuration.decoder.endToken == 3)
    }

    /// A value that no model has is refused by name, before any memory is allocated for it.
    @Test func impossibleConfigurationsAreRefused() {
        let absurd: [(String, Any)] = [
            ("hidden_size", 1 << 40), ("hidden_size", 0), ("hidden_size", 73), ("intermediate_size", -1),
            ("encoder_num_hidden_layers", 0), ("decoder_num_hidden_layers", 1000),
            ("encoder_num_attention_heads", 0), ("encoder_num_attention_heads", -2),
            ("decoder_num_attention_heads", 5), ("encoder_num_key_value_heads", 1), ("vocab_size", 2),
            ("vocab_size", 1 << 40), ("max_position_embeddings", 0), ("decoder_start_token_id", -1),
            ("eos_token_id", 97), ("partial_rotary_factor", 1.5), ("partial_rotary_factor", -0.1),
            ("rope_theta", 0), ("attention_bias", true), ("encoder_hidden_act", "relu"),
            ("decoder_hidden_act", "gelu"), ("rope_parameters", ["rope_type": "yarn"]), ("model_type", "whisper"),
        ]
        for (name, value) in absurd { #expect(code { $0[name] = value } == .modelUnsupported, "\(name) = \(value)") }
        // A configuration that belongs to other weights.
        for (name, value) in [
            ("hidden_size", 80), ("intermediate_size", 72), ("encoder_num_hidden_layers", 3), ("vocab_size", 96),
        ] { #expect(code { $0[name] = value } == .modelDamaged, "\(name)") }
        #expect(code { $0["vocab_size"] = "many" } == .modelDamaged)
        #expect(code { $0["model_type"] = "moonshine_streaming" } == .modelDamaged, "it lacks such a model's layers")
        // transformers' default, six layers, is that of another model.
        for name in ["encoder_num_hidden_layers", "decoder_num_hidden_layers"] {
            #expect(code { $0[name] = nil } == .modelDamaged, "\(name)")
        }
    }

    /// Without the last layers, a model hallucinates.
    @Test(arguments: [
        ("whole-36", "encoder_num_hidden_layers"), ("whole-36", "decoder_num_hidden_layers"),
        ("streaming-16", "num_hidden_layers"), ("streaming-16", "encoder_config.num_hidden_layers"),
    ])
    func layersThatTheConfigurationLacksAreDamage(model: String, name: String) throws {
        let folder = try TemporaryFolder()
        try RandomMoonshine(model).write(to: folder.url) { config in
            let parts = name.split(separator: ".").map(String.init)
            guard parts.count == 2, var inner = config[parts[0]] as? [String: Any] else { return config[name] = 1 }
            inner[parts[1]] = 1
            inner["sliding_windows"] = (inner["sliding_windows"] as? [Any])?.prefix(1).map { $0 }
            config[parts[0]] = inner
        }
        expectError(.modelDamaged, says: "more layers") {
            if model.hasPrefix("whole") {
                _ = try MoonshineModel.load(folder: folder.url)
            } else {
                _ = try StreamingMoonshineModel.load(folder: folder.url)
            }
        }
    }

    @Test(arguments: [0, -1, 1025, .max]) func impossibleNumbersOfThreadsAreRefused(threads: Int) throws {
        let folder = try TemporaryFolder()
        try RandomMoonshine("whole-36").write(to: folder.url)
        expectError(.invalidOption) { try MoonshineModel.load(folder: folder.url, threads: threads) }
    }

    @Test func missingAndDamagedFiles() throws {
        for name in ["config.json", "tokenizer.json", "model.safetensors"] {
            expectError(.modelNotFound, says: name) {
                try load(prepare: { try FileManager.default.removeItem(at: $0.appendingPathComponent(name)) })
            }
        }
        // A value that is not a number anywhere in the weights.
        expectError(.modelDamaged) {
            try load(prepare: { folder in
                let file = folder.appendingPathComponent("model.safetensors")
                var bytes = try Data(contentsOf: file)
                bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: [0, 0, 0xC0, 0x7F])
                try bytes.write(to: file)
            })
        }
    }

    @Test func cancellation() {
        expectError(.cancelled) { try load(isCancelled: Questions(yesFrom: 11).ask) }
    }
}

#if os(Linux) || os(macOS)
    /// Moonshine folders in which one file has a few wrong bytes: an error or a model, never a crash, a hang, or memory
    /// beyond reason.
    ///
    /// Each subject has its own process, so that only its memory is measured; `make fuzz` damages ten thousand files of
    /// each.
    struct MoonshineFuzzTests {
        @Test(arguments: ["moonshine-model.safetensors", "moonshine-config.json", "moonshine-tokenizer.json"])
        func damagedFiles(subject: String) throws {
            let problems = try DamagedFiles.problems(of: subject) { _ in 120 << 20 }
            #expect(problems == [])
        }
    }
#endif
