import StenoCore

/// The values of a file of transcribe.cpp that describe a Parakeet or Nemotron model.
struct TranscribeCppConfiguration {
    private static let prefix = "stt.parakeet."
    private let file: GGUFFile

    init(_ file: GGUFFile) { self.file = file }

    func integer(_ name: String) -> Int? { file.integer(Self.prefix + name) }
    func flag(_ name: String) -> Bool? { file.flag(Self.prefix + name) }
    func text(_ name: String) -> String? { file.text(Self.prefix + name, limit: 256) }
    func integers(_ name: String) -> [Int]? { file.integers(Self.prefix + name, limit: 4096) }

    /// A number that every file has.
    func required(_ name: String) throws -> Int {
        guard let number = integer(name) else { throw file.damaged("it has no value \(Self.prefix + name)") }
        return number
    }

    /// Throws unless the model has the encoder, the heads and the features that FastConformer models have.
    ///
    /// - Throws: `modelUnsupported`.
    func check() throws {
        let architecture = file.text("general.architecture", limit: 256) ?? "no name"
        guard architecture == "parakeet" else {
            throw unsupported("a model of the architecture \(architecture.prefix(80))")
        }
        guard integers("encoder.spk_kernel_layers")?.isEmpty ?? true else {
            throw unsupported("a model that depends on who speaks")
        }
        let texts: [(String, String?, [String])] = [
            ("head_kind", text("head_kind"), ["tdt", "rnnt", "ctc"]),
            ("encoder.conv_norm_type", text("encoder.conv_norm_type"), ["batch_norm", "layer_norm"]),
            ("joint.activation", text("joint.activation"), ["relu"]),
            ("prompt.activation", text("prompt.activation"), ["relu"]),
            ("frontend.type", file.text("stt.frontend.type"), ["mel"]),
            ("frontend.window", file.text("stt.frontend.window"), ["hann"]),
            ("frontend.normalize", file.text("stt.frontend.normalize"), ["per_feature", "none"]),
        ]
        for (name, value, known) in texts {
            if let value, !known.contains(value) { throw unsupported("a model whose \(name) is \(value.prefix(40))") }
        }
        let numbers: [(String, Double?, Double)] = [
            ("encoder.subsampling_factor", file.number(Self.prefix + "encoder.subsampling_factor"), 8),
            ("frontend.sample_rate", file.number("stt.frontend.sample_rate"), 16_000),
            ("frontend.n_fft", file.number("stt.frontend.n_fft"), 512),
            ("frontend.win_length", file.number("stt.frontend.win_length"), 400),
            ("frontend.hop_length", file.number("stt.frontend.hop_length"), 160),
            ("frontend.f_min", file.number("stt.frontend.f_min"), 0),
            ("frontend.f_max", file.number("stt.frontend.f_max"), 8000),
            ("frontend.pre_emphasis", file.number("stt.frontend.pre_emphasis"), 0.97),
        ]
        for (name, value, known) in numbers {
            if let value, abs(value - known) > 1e-6 { throw unsupported("a model whose \(name) is \(value)") }
        }
    }

    /// How the model streams; nil if it needs whole utterances.
    ///
    /// - Throws: `modelUnsupported` if it is neither causal throughout nor not at all.
    func streaming() throws -> FastConformerConfiguration.Streaming? {
        let kernel = try required("encoder.conv_kernel")
        let before = integer("encoder.conv_context_left") ?? -1, after = integer("encoder.conv_context_right") ?? -1
        switch text("encoder.att_context_style") ?? "regular" {
        case "regular", "chunked_limited_with_rc":
            // A model for whole utterances may have been trained with limited attention, but needs none.
            guard before < 0 || before == after else {
                throw unsupported("a model with causal convolutions that cannot stream")
            }
            return nil
        case "chunked_limited" where after == 0 && before == kernel &- 1:
            let listed = integers("encoder.att_context_size_choices") ?? []
            let pairs =
                try listed.isEmpty
                ? [required("encoder.att_context_left"), required("encoder.att_context_right")] : listed
            guard pairs.count.isMultiple(of: 2), pairs.allSatisfy({ $0 >= 0 }) else {
                throw file.damaged("its look-aheads are \(pairs.prefix(16))")
            }
            return FastConformerConfiguration.Streaming(
                left: pairs[0], lookAheads: stride(from: 1, to: pairs.count, by: 2).map { pairs[$0] })
        default: throw unsupported("a model with a way of streaming that is not that of Nemotron")
        }
    }

    /// The durations that the joint network predicts; empty for RNNT.
    func durations() throws -> [Int] {
        let count = integer("joint.num_extra_outputs") ?? 0, list = integers("tdt.durations") ?? []
        guard list.count == count else { throw file.damaged("it has \(count) outputs for \(list.count) durations") }
        return list
    }

    /// The languages that the model can be set to; nil if it cannot.
    func prompts() throws -> FastConformerConfiguration.Prompts? {
        guard let count = integer("prompt.num_prompts"), count > 0 else { return nil }
        let names = file.texts(Self.prefix + "prompt.dictionary.locales", limit: 4096) ?? []
        let numbers = integers("prompt.dictionary.indices") ?? []
        guard names.count == numbers.count else {
            throw file.damaged("it names \(names.count) languages for \(numbers.count) prompts")
        }
        let ids = Dictionary(zip(names, numbers)) { $1 }
        return FastConformerConfiguration.Prompts(
            count: count, hiddenWidth: try required("prompt.hidden"), ids: ids,
            automatic: integer("prompt.auto_id") ?? ids["auto"] ?? 0)
    }

    private func unsupported(_ found: String) -> StenoError {
        StenoError(
            .modelUnsupported,
            "\(file.path) holds \(found), which is not supported. Choose a Parakeet or Nemotron model.")
    }
}
