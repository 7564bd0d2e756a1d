import Foundation
import Steno
import StenoTestSupport

@testable import StenoCore

/// Endless speech, read as from a pipe; reports when the engine has released it.
final class EndlessSpeech: SampleSource {
    private let samples: [Float]
    private let onRelease: @Sendable () -> Void
    private var position = 0

    init(onRelease: @escaping @Sendable () -> Void = {}) throws {
        let wav = try Data(contentsOf: Fixtures.file("sounds/tomorrow.wav"))
        // 16-bit samples after the usual header of 44 bytes.
        samples = wav.dropFirst(44).withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 1, by: 2).map { offset in
                Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / 32768
            }
        }
        self.onRelease = onRelease
    }

    deinit { onRelease() }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
        for index in 0..<buffer.count {
            buffer[index] = samples[position]
            position = (position + 1) % samples.count
        }
        return buffer.count
    }

    func rewind() -> Bool { false }
}
