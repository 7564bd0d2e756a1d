import Foundation

extension RandomModel {
    /// Writes the files next to `model.bin`, taken from the nano fixture: a random model has Whisper's usual vocabulary.
    ///
    /// If it has one more token, that is Cantonese, before `<|translate|>`, as in large-v3.
    func writeTexts(to folder: URL) throws {
        var vocabulary: [String] = try nanoFile("vocabulary")
        var tokenizer: [String: Any] = try nanoFile("tokenizer")
        var config: [String: Any] = try nanoFile("config")
        var features: [String: Any] = try nanoFile("preprocessor_config")
        let start = vocabulary.firstIndex(of: "<|startoftranscript|>") ?? 0
        var translate = vocabulary.firstIndex(of: "<|translate|>") ?? 0
        if shape.vocabulary == vocabulary.count + 1 {
            vocabulary.insert("<|yue|>", at: translate)
            tokenizer["added_tokens"] = withCantonese(tokenizer["added_tokens"], at: translate)
            translate += 1
        }
        config["lang_ids"] = Array(start + 1..<translate)
        config["alignment_heads"] = (shape.decoderLayers / 2..<shape.decoderLayers).flatMap { layer in
            (0..<shape.heads).map { [layer, $0] }
        }
        features["feature_size"] = shape.mels
        try write(vocabulary, "vocabulary", in: folder)
        try write(tokenizer, "tokenizer", in: folder)
        try write(config, "config", in: folder)
        try write(features, "preprocessor_config", in: folder)
    }

    private func withCantonese(_ tokens: Any?, at id: Int) -> [[String: Any]] {
        guard let tokens = tokens as? [[String: Any]] else { return [] }
        var shifted = tokens.map { token -> [String: Any] in
            guard let old = token["id"] as? Int, old >= id else { return token }
            return token.merging(["id": old + 1]) { $1 }
        }
        if let position = tokens.firstIndex(where: { $0["id"] as? Int == id - 1 }) {
            shifted.insert(tokens[position].merging(["id": id, "content": "<|yue|>"]) { $1 }, at: position + 1)
        }
        return shifted
    }

    private func nanoFile<Content>(_ name: String) throws -> Content {
        let url = Fixtures.nano.appendingPathComponent("\(name).json")
        guard let content = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? Content else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        return content
    }

    private func write(_ content: Any, _ name: String, in folder: URL) throws {
        let data = try JSONSerialization.data(withJSONObject: content, options: [.withoutEscapingSlashes])
        try data.write(to: folder.appendingPathComponent("\(name).json"))
    }
}
