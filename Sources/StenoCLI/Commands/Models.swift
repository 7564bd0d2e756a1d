import ArgumentParser

/// `steno models`: what models there are, and what they are.
struct Models: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look at the models on this machine.",
        discussion: """
            A model is a folder in CTranslate2's form (model.bin, config.json, vocabulary.json or .txt, tokenizer.json), as \
            faster-whisper uses them. Names are looked for in $STENO_MODELS (folders separated by colons), in \
            ~/.local/share/steno/models (Library/Application Support/steno/models on Apple systems) and in the cache of \
            Hugging Face's tools. To install one, put its folder, or a link to it, there; the one called default is used \
            when none is named.
            """,
        subcommands: [ModelsList.self, ModelsInfo.self])
}
