import ArgumentParser

/// `steno models`: lists and describes models.
struct Models: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "List and describe the models on this machine.",
        discussion: """
            A model is a folder in CTranslate2 format (model.bin, config.json, vocabulary.json or .txt, \
            tokenizer.json), as used by faster-whisper. Names are searched in $STENO_MODELS (folders separated by \
            colons), in ~/.local/share/steno/models (Library/Application Support/steno/models on Apple systems) and in \
            the Hugging Face cache. To install a model, put its folder, or a link to it, in a models folder; the \
            model called default is used when --model is not given.
            """,
        subcommands: [ModelsList.self, ModelsInfo.self, ModelsConvert.self])
}
