import Foundation
import StenoCompute
import StenoCore

/// The files next to `model.bin` in a converted folder, for CTranslate2, faster-whisper and Steno.
struct ConvertedTexts {
    private let configuration: WhisperConfiguration
    private let shape: ModelShape
    private let tokenizer: Tokenizer

    init(_ package: any WhisperFiles, shape: ModelShape, tokenizer: Tokenizer) {
        configuration = package.configuration
        (self.shape, self.tokenizer) = (shape, tokenizer)
    }

    /// `config.json`: suppressed tokens, languages and alignment heads.
    var config: String {
        let layers = shape.decoderLayers / 2..<shape.decoderLayers
        let heads =
            configuration.alignmentHeads
            ?? layers.flatMap { layer in (0..<shape.decoderHeads).map { AlignmentHead(layer: layer, head: $0) } }
        var members: [(String, String)] = [
            (
                "alignment_heads",
                JSONText.arrayLines(
                    heads.map { JSONText.arrayLines(["\($0.layer)", "\($0.head)"], indent: "    ") }, indent: "  ")
            ),
            ("lang_ids", numbers(tokenizer.specialTokens.languages.map(\.id).sorted())),
            ("suppress_ids", numbers(suppressed)), ("suppress_ids_begin", numbers(suppressedAtBegin)),
        ]
        if configuration.normEpsilon != 1e-5 {
            members.insert(("layer_norm_epsilon", "\(configuration.normEpsilon)"), at: 2)
        }
        return JSONText.objectLines(members) + "\n"
    }

    private func numbers(_ ids: [Int]) -> String { JSONText.arrayLines(ids.map(String.init), indent: "  ") }

    /// The tokens that the files suppress, or else those of OpenAI's configurations: non-speech tokens and symbols.
    private var suppressed: [Int] {
        guard configuration.suppressedTokens.isEmpty else { return configuration.suppressedTokens }
        return (tokenizer.nonSpeechTokens + tokenizer.specialTokens.suppressedMarks).sorted()
    }

    private var suppressedAtBegin: [Int] {
        guard configuration.suppressedAtBegin.isEmpty else { return configuration.suppressedAtBegin }
        return tokenizer.suppressedAtBegin
    }

    /// `vocabulary.json`: a byte-level string for every row of the embedding; special tokens that the source does not
    /// list have the usual names.
    var vocabulary: String {
        let known = tokenizer.vocabulary.count
        let names = tokenizer.specialTokens.names(count: shape.vocabularySize)
        let tokens = (0..<shape.vocabularySize).map { id in
            id < known ? tokenizer.vocabulary.byteLevelText(of: id) : names[id] ?? "<|unused\(id)|>"
        }
        return JSONText.arrayLines(tokens.map(JSONText.ascii))
    }

    /// `preprocessor_config.json`, as transformers saves it for Whisper.
    var preprocessor: String {
        JSONText.objectLines([
            ("chunk_length", "30"), ("feature_extractor_type", "\"WhisperFeatureExtractor\""),
            ("feature_size", "\(shape.melCount)"), ("hop_length", "160"), ("n_fft", "400"), ("n_samples", "480000"),
            ("nb_max_frames", "3000"), ("padding_side", "\"right\""), ("padding_value", "0.0"),
            ("processor_class", "\"WhisperProcessor\""), ("return_attention_mask", "false"), ("sampling_rate", "16000"),
        ]) + "\n"
    }
}

// MARK: tokenizer.json

extension ConvertedTexts {
    /// `tokenizer.json` for Hugging Face's tokenizers, for a source without one: GPT-2's byte-level BPE, its merges
    /// computed from the ranks of the tokens.
    func tokenizerJSON(checkCancellation: () throws -> Void) throws -> String {
        let end = tokenizer.specialTokens.endOfText
        let texts = (0..<end).map { JSONText.ascii(tokenizer.vocabulary.byteLevelText(of: $0)) }
        let merges = TokenMerges(tokenizer.vocabulary, textTokenCount: end)
        var lines: [String] = []
        for id in 0..<end {
            if id % 4096 == 0 { try checkCancellation() }
            guard let (first, second) = merges.parts(of: id) else { continue }
            let left = JSONText.ascii(ByteLevel.text(first)), right = JSONText.ascii(ByteLevel.text(second))
            lines.append("[\(left), \(right)]")
        }
        let byteLevel = { (prefix: Bool) in
            #"{"type": "ByteLevel", "add_prefix_space": \#(prefix), "trim_offsets": true, "use_regex": true}"#
        }
        let model =
            #"{"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null, "#
            + #""end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "vocab": {"# + "\n"
            + texts.enumerated().map { "\($1): \($0)" }.joined(separator: ",\n") + "\n}, \"merges\": [\n"
            + lines.joined(separator: ",\n") + "\n]}"
        return JSONText.objectLines([
            ("version", "\"1.0\""), ("truncation", "null"), ("padding", "null"), ("added_tokens", addedTokens),
            ("normalizer", "null"), ("pre_tokenizer", byteLevel(false)), ("post_processor", "null"),
            ("decoder", byteLevel(true)), ("model", model),
        ]) + "\n"
    }

    private var addedTokens: String {
        let names = tokenizer.specialTokens.names(count: shape.vocabularySize).sorted { $0.key < $1.key }
        return JSONText.arrayLines(
            names.map { id, name in
                let isSpecial = id < tokenizer.specialTokens.timestampBegin
                return
                    #"{"id": \#(id), "content": \#(JSONText.ascii(name)), "single_word": false, "lstrip": false, "#
                    + #""rstrip": false, "normalized": false, "special": \#(isSpecial)}"#
            }, indent: "  ")
    }
}

extension SpecialTokens {
    /// The names of all special tokens below an id, such as `<|endoftext|>`, by their ids.
    func names(count: Int) -> [Int: String] {
        var names = [
            endOfText: "endoftext", startOfTranscript: "startoftranscript", translate: "translate",
            transcribe: "transcribe", startOfLM: "startoflm", startOfPrevious: "startofprev", noSpeech: "nospeech",
            noTimestamps: "notimestamps",
        ]
        for language in languages { names[language.id] = language.code }
        for id in timestampBegin..<max(timestampBegin, count) {
            names[id] = String(format: "%.2f", Double(id - timestampBegin) / 50)
        }
        return names.mapValues { "<|\($0)|>" }
    }
}

/// The merges of byte-pair encoding that a vocabulary in order of ranks implies, for files that must list them.
///
/// A token is made by merging the two parts into which the merges before it split its bytes (Sennrich et al. 2016).
struct TokenMerges {
    private let vocabulary: Vocabulary
    private let table: TokenTable

    /// - Parameter textTokenCount: The number of tokens that are text; ids are ranks.
    init(_ vocabulary: Vocabulary, textTokenCount: Int) {
        self.vocabulary = vocabulary
        table = TokenTable(vocabulary, count: textTokenCount)
    }

    /// The two parts that a token is merged from; nil for a single byte, and for bytes that no merge makes a token.
    func parts(of id: Int) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
        vocabulary.storage.withUnsafeBufferPointer { bytes in
            var parts = vocabulary.range(of: id).map { $0..<$0 + 1 }
            while parts.count > 2 {
                guard let next = firstMerge(of: parts, before: id, bytes) else { return nil }
                parts[next] = parts[next].lowerBound..<parts[next + 1].upperBound
                parts.remove(at: next + 1)
            }
            return parts.count == 2 ? (vocabulary.storage[parts[0]], vocabulary.storage[parts[1]]) : nil
        }
    }

    /// The place of the merge with the lowest rank, the leftmost of equals.
    private func firstMerge(
        of parts: [Range<Int>], before id: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        var best: (rank: Int, place: Int)?
        for place in 0..<parts.count - 1 {
            let merged = parts[place].lowerBound..<parts[place + 1].upperBound
            guard let rank = table.id(of: bytes, merged), rank < best?.rank ?? id else { continue }
            best = (rank, place)
        }
        return best?.place
    }
}
