import StenoCore

extension FastConformerConfiguration {
    /// Rejects sizes that no FastConformer model has, so that later code can rely on plausible ones.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported`.
    package func check() throws {
        guard let problem = encoderProblem ?? streamingProblem ?? transducerProblem ?? promptProblem else { return }
        throw StenoError(
            .modelUnsupported,
            "This is not a FastConformer model that Steno can run: \(problem). Choose another model.")
    }

    private var encoderProblem: String? {
        if !(1...512).contains(melCount) {
            "it has \(melCount) mel bands"
        } else if !(1...128).contains(layers) {
            "it has \(layers) layers"
        } else if !(32...8192).contains(width) || !width.isMultiple(of: 32) {
            "it has \(width) channels, which is not a multiple of 32 up to 8192"
        } else if heads < 1 || !width.isMultiple(of: heads) || !headWidth.isMultiple(of: 16) || headWidth > 256 {
            "its \(heads) heads do not have a multiple of 16 channels, up to 256"
        } else if !(1...65_536).contains(feedForwardWidth) {
            "its feed-forward modules have \(feedForwardWidth) channels"
        } else if !(1...63).contains(kernelSize) || kernelSize.isMultiple(of: 2) {
            "its convolutions have a kernel of \(kernelSize)"
        } else if !(1...2048).contains(subsamplingChannels) {
            "its first convolutions have \(subsamplingChannels) channels"
        } else if !(1...1_000_000).contains(vocabularySize) {
            "it has \(vocabularySize) tokens"
        } else {
            nil
        }
    }

    private var streamingProblem: String? {
        guard let streaming else { return nil }
        return if !(0...4096).contains(streaming.left) {
            "its attention reaches \(streaming.left) frames back"
        } else if streaming.lookAheads.isEmpty || !streaming.lookAheads.allSatisfy((0...255).contains) {
            "its look-aheads are \(streaming.lookAheads.prefix(16))"
        } else if normalizesFeatures {
            "it streams, but normalises its features over the utterance"
        } else {
            nil
        }
    }

    private var transducerProblem: String? {
        guard let transducer else { return nil }
        return if !(16...8192).contains(transducer.predictorWidth) || !transducer.predictorWidth.isMultiple(of: 16) {
            "its prediction network has \(transducer.predictorWidth) cells, which is not a multiple of 16 up to 8192"
        } else if !(1...8).contains(transducer.predictorLayers) {
            "its prediction network has \(transducer.predictorLayers) layers"
        } else if !(1...8192).contains(transducer.jointWidth) {
            "its joint network has \(transducer.jointWidth) channels"
        } else if transducer.durations.count > 64 || !transducer.durations.allSatisfy((0...1000).contains) {
            "its durations are \(transducer.durations.prefix(16))"
        } else if !(1...1000).contains(transducer.maximumSymbols) {
            "it allows \(transducer.maximumSymbols) tokens in a frame"
        } else {
            nil
        }
    }

    private var promptProblem: String? {
        guard let prompts else { return nil }
        return if !(1...4096).contains(prompts.count) || !(1...65_536).contains(prompts.hiddenWidth) {
            "it has \(prompts.count) prompts and \(prompts.hiddenWidth) channels for them"
        } else if !(0..<prompts.count).contains(prompts.automatic)
            || !prompts.ids.values.allSatisfy((0..<prompts.count).contains)
        {
            "its languages have prompts that it does not have"
        } else if transducer == nil {
            "it has prompts, but no transducer"
        } else {
            nil
        }
    }
}
