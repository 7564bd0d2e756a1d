@testable import StenoFastConformer

extension FastConformerStream {
    convenience init(_ speech: FastConformerSpeechModel, lookAhead: Int) throws {
        try self.init(speech.model, speech.languages, lookAhead: lookAhead)
    }
}

extension FastConformerUtteranceDecoder {
    convenience init(_ speech: FastConformerSpeechModel) throws { try self.init(speech.model, speech.languages) }
}
