import StenoWhisper

extension ModelFamily {
    /// OpenAI's Whisper, and models distilled or fine-tuned from it.
    static let whisper = ModelFamily(
        name: "Whisper", identifier: "whisper",
        forms: "a CTranslate2 folder (model.bin, config.json, vocabulary.json), such as Systran/faster-whisper-base; a "
            + "Hugging Face folder (model.safetensors, config.json, tokenizer.json), such as openai/whisper-base; or a "
            + "ggml-*.bin of whisper.cpp"
    ) { folder, precision, threads, isCancelled in
        try WhisperModel.load(folder: folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }
}
