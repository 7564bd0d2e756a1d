import Foundation
import StenoTestSupport

/// The float32 results of transformers: excerpts of encoder outputs and logits, with the range of the whole.
struct EngineGoldens {
    struct Model: Decodable {
        var tokens: [Int]
        var contexts: [Context]
    }

    struct Context: Decodable {
        var positions: Int
        var frames: Int
        var encoder: Part
        var logits: Part
    }

    /// Every `row_step`-th row and `column_step`-th column of a matrix.
    struct Part: Decodable {
        var offset: Int
        var shape: [Int]
        var row_step: Int
        var column_step: Int
        var min: Float
        var max: Float
    }

    private struct Index: Decodable {
        var models: [String: Model]
    }

    let models: [String: Model]
    private let values: [Float]

    init() throws {
        let folder = Fixtures.file("goldens/engine")
        let index = try Data(contentsOf: folder.appendingPathComponent("index.json"))
        models = try JSONDecoder().decode(Index.self, from: index).models
        values = try Data(contentsOf: folder.appendingPathComponent("values.bin")).withUnsafeBytes {
            $0.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    /// The largest distance between a matrix and its golden excerpt, relative to the golden's range.
    func distance(_ part: Part, _ value: (_ row: Int, _ column: Int) -> Float) -> Float {
        var worst: Float = 0
        for row in 0..<part.shape[0] {
            for column in 0..<part.shape[1] {
                let golden = values[part.offset + row * part.shape[1] + column]
                let difference = abs(value(row * part.row_step, column * part.column_step) - golden)
                // A NaN must not count as a small distance.
                worst = difference.isNaN ? .infinity : Swift.max(worst, difference)
            }
        }
        return worst / (part.max - part.min)
    }
}

/// The locations of the models for the engine's tests.
enum EngineModels {
    /// The bundled Whisper base.
    static let bundledBase = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/StenoBundledModel/Resources/whisper-base")
}
