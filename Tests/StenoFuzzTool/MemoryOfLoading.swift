import Foundation
import StenoCore
import StenoWhisper

/// The memory that loading takes beyond the model itself.
enum MemoryOfLoading {
    static func report(_ folder: URL) throws {
        let before = PeakMemory.bytes
        let model = try WhisperModel.load(folder: folder, precision: .float32, threads: 1)
        let after = PeakMemory.bytes
        withExtendedLifetime(model) {
            print("instrumented", PeakMemory.isInstrumented ? 1 : 0)
            print("weights", model.shape.parameterCount * MemoryLayout<Float>.size)
            print("growth", after - before)
        }
    }
}
