import ArgumentParser

/// `steno models`: finds, downloads, verifies and removes models.
struct Models: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "List, download, verify and remove models.",
        discussion: """
              steno models list
              steno models list --available
              steno models download small

            A model is a folder in CTranslate2 format, as used by faster-whisper, a Hugging Face folder with \
            model.safetensors, or a ggml-*.bin file of whisper.cpp. Steno looks for names in $STENO_MODELS (folders \
            separated by colons; downloads go to the first), in ~/.local/share/steno/models (Library/Application \
            Support/Steno/Models on Apple systems) and in the Hugging Face cache. You can also put \
            your own folder, or a link to it, there. Without --model, Steno uses the model called default.
            """,
        subcommands: [
            ModelsList.self, ModelsDownload.self, ModelsInfo.self, ModelsVerify.self, ModelsRemove.self,
            ModelsSize.self, ModelsConvert.self,
        ])
}
