import StenoCompute
import StenoCore

extension WindowLane {
    /// Finds when each word of a text was said in the encoded window; a word's handle is its tokens.
    ///
    /// The text is run through the decoder once more, and the cross-attention of the alignment heads gives the position
    /// of each token (openai-whisper's `timing.py`, as implemented in CTranslate2 and faster-whisper).
    ///
    /// - Parameters:
    ///   - text: Text tokens, without timestamps.
    ///   - sequence: The start of the transcript: language and task.
    ///   - frames: The number of frames of 10 ms of the window that hold audio.
    func align(
        _ text: [Int], sequence: [Int], frames: Int, language: String
    ) throws -> [UtteranceWord] {
        let special = model.tokenizer.specialTokens
        let words = model.tokenizer.splitToWordTokens(text + [special.endOfText], language: language)
        let columns = min(frames / 2, memory.positions)
        guard words.count > 1, columns > 0 else { return [] }
        var end = 0
        let ranges = words.dropLast().map { word in
            let start = end
            end = min(start + word.tokens.count, text.count)
            return start..<end
        }

        let tokens = sequence + [special.noTimestamps] + text + [special.endOfText]
        let matrix = try AlignmentMatrix(
            rows: tokens.count, columns: columns, positions: memory.positions, heads: model.alignmentHeads)
        let probabilities = try self.probabilities(
            of: tokens, from: sequence.count, count: text.count, observer: matrix)
        let rows = sequence.count..<sequence.count + text.count + 1
        let starts = DynamicTimeWarping.starts(matrix.mean(rows: rows), rows: rows.count, columns: columns)

        return zip(words, ranges).map { word, range in
            let mean = probabilities[range].reduce(0, +) / Double(max(range.count, 1))
            return UtteranceWord(
                text: word.text, handle: word.tokens, start: seconds(starts[range.lowerBound]),
                end: seconds(starts[range.upperBound]), probability: mean)
        }
    }

    private func seconds(_ position: Int) -> Double { Double(position) / 50 }
}

extension WhisperModel {
    /// The alignment heads: those the model's file names, otherwise all heads in the upper half of the decoder.
    var alignmentHeads: [AlignmentHead] {
        let known = configuration.alignmentHeads?.filter {
            (0..<shape.decoderLayers).contains($0.layer) && (0..<shape.decoderHeads).contains($0.head)
        }
        if let known, !known.isEmpty { return known }
        return (shape.decoderLayers / 2..<shape.decoderLayers).flatMap { layer in
            (0..<shape.decoderHeads).map { AlignmentHead(layer: layer, head: $0) }
        }
    }
}
