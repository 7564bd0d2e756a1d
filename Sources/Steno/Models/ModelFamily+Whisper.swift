import StenoWhisper

extension ModelFamily {
    /// OpenAI's Whisper, and models distilled or fine-tuned from it.
    static let whisper = ModelFamily(
        name: "Whisper", identifiers: "whisper", forms: WhisperModel.formats,
        convert: { model, folder, precision, replacing, isCancelled, onProgress in
            try WhisperConversion.convert(
                model, to: folder, precision: precision, replacing: replacing, isCancelled: isCancelled,
                onProgress: onProgress)
        }
    ) { folder, precision, threads, isCancelled in
        try WhisperModel.load(folder: folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }
}
