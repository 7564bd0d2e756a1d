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
        samples = try TestAudio.samplesOfPlainWAV(Fixtures.file("sounds/tomorrow.wav"))
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
