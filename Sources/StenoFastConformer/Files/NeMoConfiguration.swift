import StenoCore

/// The `model_config.yaml` of a FastConformer model, with the defaults of NeMo's classes.
struct NeMoConfiguration {
    private let path: String
    private let root: YAMLValue
    private let className: String

    init(_ archive: NeMoArchive) {
        path = archive.path
        root = archive.configuration
        className = archive.className ?? "no class"
    }

    /// The value below a path of keys; nil if there is none.
    subscript(_ keys: String...) -> YAMLValue? {
        keys.reduce(Optional(root)) { value, key in value?[key] }
    }

    /// A number that every configuration has.
    func required(_ section: String, _ key: String) throws -> Int {
        guard let number = self[section, key]?.integer else {
            throw damaged("its configuration has no \(section).\(key)")
        }
        return number
    }

    func damaged(_ problem: String) -> StenoError {
        StenoError(.modelDamaged, "\(path) is damaged: \(problem). Download the model again.")
    }

    /// Throws unless the model has the encoder and the features that FastConformer models have.
    ///
    /// - Throws: `modelUnsupported`.
    func check() throws {
        guard FastConformerConfiguration.classes.contains(className.lowercased()) else {
            throw unsupported("another kind of model (\(className.prefix(80)))")
        }
        let encoder = self["encoder"], features = self["preprocessor"]
        let expected: [(String, YAMLValue?, [String])] = [
            ("encoder.subsampling", encoder?["subsampling"], ["dw_striding"]),
            ("encoder.subsampling_factor", encoder?["subsampling_factor"], ["8"]),
            ("encoder.self_attention_model", encoder?["self_attention_model"], ["rel_pos", ""]),
            ("encoder.conv_norm_type", encoder?["conv_norm_type"], ["batch_norm", "layer_norm", ""]),
            ("encoder.reduction", encoder?["reduction"], [""]),
            ("preprocessor.normalize", features?["normalize"], ["per_feature", "NA", ""]),
            ("preprocessor.n_fft", features?["n_fft"], ["512"]),
            ("preprocessor.window", features?["window"], ["hann", ""]),
            ("preprocessor.window_size", features?["window_size"], ["0.025"]),
            ("preprocessor.window_stride", features?["window_stride"], ["0.01"]),
            ("preprocessor.sample_rate", features?["sample_rate"], ["16000"]),
            ("preprocessor.preemph", features?["preemph"], ["0.97", ""]),
        ]
        for (name, value, known) in expected where !known.contains(value?.text ?? "") {
            throw unsupported("a model whose \(name) is \(value?.text?.prefix(40) ?? "missing")")
        }
    }

    /// How the model streams; nil if it needs whole utterances.
    ///
    /// - Throws: `modelUnsupported` if it is neither causal throughout nor not at all.
    func streaming() throws -> FastConformerConfiguration.Streaming? {
        let encoder = self["encoder"]
        let contexts = encoder?["att_context_size"]
        let isCausal = encoder?["causal_downsampling"]?.flag ?? false
        guard isCausal else {
            // A model for whole utterances may have been trained with limited attention, but needs none.
            guard encoder?["conv_context_size"]?.text != "causal" else {
                throw unsupported("a model with causal convolutions that cannot stream")
            }
            return nil
        }
        let pairs = contexts?.items?.compactMap(\.integers) ?? []
        let all = pairs.isEmpty ? [contexts?.integers ?? []] : pairs
        guard encoder?["att_context_style"]?.text == "chunked_limited", encoder?["conv_context_size"]?.text == "causal",
            all.allSatisfy({ $0.count == 2 && $0[0] >= 0 && $0[1] >= 0 })
        else { throw unsupported("a model with a way of streaming that is not that of Nemotron") }
        return FastConformerConfiguration.Streaming(left: all[0][0], lookAheads: all.map { $0[1] })
    }

    /// The durations that the joint network predicts; empty for RNNT.
    func durations(count: Int) throws -> [Int] {
        guard count > 0 else { return [] }
        let lists = [self["decoding", "durations"], self["model_defaults", "tdt_durations"]]
        guard let durations = lists.compactMap({ $0?.integers }).first(where: { $0.count == count }) else {
            throw damaged("its configuration has no list of \(count) durations")
        }
        return durations
    }

    private func unsupported(_ found: String) -> StenoError {
        StenoError(
            .modelUnsupported,
            "\(path) holds \(found), which is not supported. Choose a Parakeet or Nemotron model.")
    }
}
