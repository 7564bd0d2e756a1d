import StenoCore

extension FastConformerConfiguration {
    /// The classes of NeMo's models that this family reads, in lower case.
    package static let classes: [String] = [
        "EncDecCTCModelBPE", "EncDecRNNTBPEModel", "EncDecHybridRNNTCTCBPEModel", "EncDecRNNTBPEModelWithPrompt",
        "EncDecHybridRNNTCTCBPEModelWithPrompt",
    ].map { $0.lowercased() }

    /// The configuration of a model of NeMo: from its `model_config.yaml`, and from the shapes of its weights for what
    /// that has in several places.
    ///
    /// - Throws: `modelDamaged`, or `modelUnsupported` for a model of another family.
    init(_ archive: NeMoArchive, _ weights: TorchCheckpoint) throws {
        self.init()
        let file = NeMoConfiguration(archive)
        try file.check()
        try setEncoder(file)
        try setHeads(file, weights)
        setPrompts(file, try weights.tensor("prompt_kernel.0.weight"))
        try check()
    }

    private mutating func setEncoder(_ file: NeMoConfiguration) throws {
        let encoder = file["encoder"]
        layers = try file.required("encoder", "n_layers")
        width = try file.required("encoder", "d_model")
        melCount = try file.required("preprocessor", "features")
        heads = encoder?["n_heads"]?.integer ?? 4
        feedForwardWidth =
            width.multipliedReportingOverflow(by: encoder?["ff_expansion_factor"]?.integer ?? 4).partialValue
        kernelSize = encoder?["conv_kernel_size"]?.integer ?? 31
        let channels = encoder?["subsampling_conv_channels"]?.integer ?? -1
        subsamplingChannels = channels < 0 ? width : channels
        scalesInput = encoder?["xscaling"]?.flag ?? true
        convolutionNorm = encoder?["conv_norm_type"]?.text == "layer_norm" ? .layer : .batch
        normalizesFeatures = file["preprocessor", "normalize"]?.text == "per_feature"
        streaming = try file.streaming()
    }

    private mutating func setHeads(_ file: NeMoConfiguration, _ weights: TorchCheckpoint) throws {
        func rows(_ name: String) throws -> Int? {
            for stored in NeMoNames.stored(name) {
                if let tensor = try weights.tensor(stored) { return tensor.rows }
            }
            return nil
        }
        let ctc = try rows("ctc_head.weight")
        hasCTC = ctc != nil
        guard let embedding = try weights.tensor("decoder.prediction.embed.weight") else {
            guard let ctc else { throw file.damaged("it has neither a CTC head nor a transducer") }
            vocabularySize = ctc - 1
            return
        }
        vocabularySize = embedding.rows - 1
        guard let joint = try rows("decoder.decoder_projector.weight"), let outputs = try rows("joint.head.weight"),
            outputs >= embedding.rows, ctc ?? embedding.rows == embedding.rows
        else { throw file.damaged("the shapes of its heads do not fit together") }
        var layers = 0
        while layers < 16, try rows("decoder.lstm.weight_ih_l\(layers)") != nil { layers += 1 }
        transducer = Transducer(
            predictorWidth: embedding.rowCount, predictorLayers: layers, jointWidth: joint,
            durations: try file.durations(count: outputs - embedding.rows),
            maximumSymbols: file["decoding", "greedy", "max_symbols"]?.integer ?? 10)
    }

    private mutating func setPrompts(_ file: NeMoConfiguration, _ projector: WeightTensor?) {
        guard let projector else { return }
        let ids = (file["model_defaults", "prompt_dictionary"]?.entries ?? []).compactMap { entry in
            entry.value.integer.map { (entry.key, $0) }
        }
        let known = ids.isEmpty ? KnownPrompts.ids : Dictionary(ids) { $1 }
        let count = file["model_defaults", "num_prompts"]?.integer ?? projector.rowCount - width
        prompts = Prompts(count: count, hiddenWidth: projector.rows, ids: known, automatic: known["auto"] ?? 0)
    }
}
