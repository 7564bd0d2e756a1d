import StenoCore
import StenoTestSupport
import StenoWhisper

extension SmallModel {
    static func load(_ precision: Precision = .float32, threads: Int = 1) throws -> WhisperModel {
        try with { try WhisperModel.load(folder: $0, precision: precision, threads: threads) }
    }
}
