import Foundation
import Steno
import StenoCore
import StenoWhisper

extension Transcriber {
    /// What `steno_model_information` reports.
    var json: String {
        let tasks = TranscriptionTask.allCases.filter(information.tasks.contains)
        var fields = [
            ("family", JSONText.string(information.family)),
            ("path", JSONText.string(information.source.path)),
            ("format", JSONText.string(information.source.format)),
            ("storedPrecision", JSONText.string(information.source.storedPrecision)),
            ("precision", JSONText.string(information.precision.rawValue)),
            ("threads", String(information.threads)),
            ("parameters", String(information.parameterCount)),
            ("languages", JSONText.array(information.languages.map(JSONText.string))),
            ("tasks", JSONText.array(tasks.map { JSONText.string($0.rawValue) })),
        ]
        if let model = model as? WhisperModel {
            let names = model.tokenizer.specialTokens.named.sorted { $0.id < $1.id }
            fields.append(("melBands", String(model.shape.melCount)))
            fields.append(("isMultilingual", String(model.tokenizer.specialTokens.isMultilingual)))
            fields.append(("nonSpeechTokens", JSONText.array(model.tokenizer.nonSpeechTokens.map(String.init))))
            fields.append(("specialTokens", JSONText.object(names.map { ("<|\($0.name)|>", String($0.id)) })))
        }
        return JSONText.object(fields)
    }

    /// - Throws: `StenoError.invalidOption` for a model of another family.
    var tokenizer: Tokenizer {
        get throws {
            guard let model = model as? WhisperModel else {
                throw StenoError(
                    .invalidOption, "Tokens exist for Whisper models only, and this is a \(information.family) model.")
            }
            return model.tokenizer
        }
    }
}

extension SpecialTokens {
    /// The tokens with the names that openai-whisper gives them.
    fileprivate var named: [(name: String, id: Int)] {
        [
            ("endoftext", endOfText), ("startoftranscript", startOfTranscript), ("translate", translate),
            ("transcribe", transcribe), ("startoflm", startOfLM), ("startofprev", startOfPrevious),
            ("nospeech", noSpeech), ("notimestamps", noTimestamps), ("0.00", timestampBegin),
        ] + languages.map { ($0.code, $0.id) }
    }
}

/// What `steno_models` reports.
func modelsJSON() -> String {
    let installed = ModelLocator().all().map { model in
        JSONText.object([
            ("name", JSONText.string(model.name)), ("folder", JSONText.string(model.folder.path)),
            ("origin", JSONText.string(model.origin.rawValue)),
        ])
    }
    let known = ModelCatalog.all.map { model in
        JSONText.object([
            ("name", JSONText.string(model.name)), ("aliases", JSONText.array(model.aliases.map(JSONText.string))),
            ("family", JSONText.string(model.family)), ("repository", JSONText.string(model.repository)),
            ("size", String(model.approximateSize)),
            ("languages", JSONText.array(model.languages.map(JSONText.string))),
        ])
    }
    return JSONText.object([("installed", JSONText.array(installed)), ("known", JSONText.array(known))])
}
