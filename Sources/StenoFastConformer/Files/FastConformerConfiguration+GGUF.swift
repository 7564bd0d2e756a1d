import StenoCore

extension FastConformerConfiguration {
    /// The configuration in a file of transcribe.cpp.
    ///
    /// - Throws: `modelDamaged`, or `modelUnsupported` for a model of another family.
    init(_ file: GGUFFile) throws {
        self.init()
        let values = TranscribeCppConfiguration(file)
        try values.check()
        layers = try values.required("encoder.n_layers")
        width = try values.required("encoder.d_model")
        heads = try values.required("encoder.n_heads")
        feedForwardWidth = try values.required("encoder.d_ff")
        kernelSize = try values.required("encoder.conv_kernel")
        subsamplingChannels = try values.required("encoder.subsampling_channels")
        melCount = file.integer("stt.frontend.num_mels") ?? 80
        scalesInput = values.flag("encoder.xscaling") ?? false
        convolutionNorm = values.text("encoder.conv_norm_type") == "layer_norm" ? .layer : .batch
        normalizesFeatures = file.text("stt.frontend.normalize") == "per_feature"
        streaming = try values.streaming()
        try setHead(values, file)
        prompts = try values.prompts()
        try check()
    }

    private mutating func setHead(_ values: TranscribeCppConfiguration, _ file: GGUFFile) throws {
        let kind = values.text("head_kind") ?? "tdt"
        if kind == "ctc" {
            guard let head = try file.tensor("head.ctc.weight") else { throw file.damaged("it has no CTC head") }
            hasCTC = true
            vocabularySize = head.rows - 1
            return
        }
        vocabularySize = try values.required("predictor.vocab") &- 1
        transducer = Transducer(
            predictorWidth: try values.required("predictor.hidden"),
            predictorLayers: try values.required("predictor.n_layers"),
            jointWidth: try values.required("joint.hidden"),
            durations: try values.durations(),
            maximumSymbols: values.integer("tdt.max_symbols") ?? 10)
    }
}
