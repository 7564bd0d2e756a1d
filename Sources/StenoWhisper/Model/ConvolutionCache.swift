import StenoCompute
import StenoCore

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The encoder's convolutions of the last audio: if it has grown since, only positions that see changed frames are
/// computed again.
///
/// A position sees five frames, so the results are the same. Everything after the convolutions depends on all of the
/// audio.
final class ConvolutionCache {
    private let melCount: Int
    private let width: Int
    /// The frames of the last audio: [2 · count, mels].
    private let mel: ScratchBuffer
    /// The second convolution's output with the positional embedding: [count, width].
    private let output: ScratchBuffer
    /// The number of positions of the last audio.
    private var count = 0

    init(shape: ModelShape) throws {
        melCount = shape.melCount
        width = shape.width
        mel = try ScratchBuffer(count: shape.windowFrames * shape.melCount)
        output = try ScratchBuffer(count: shape.audioContext * shape.width)
    }

    /// The positions of new audio that must be computed: all from the first to the last that sees a changed frame.
    ///
    /// - Parameter frames: [2 · positions, mels].
    func changedPositions(_ frames: UnsafePointer<Float>, positions: Int) -> Range<Int> {
        let common = 2 * min(count, positions)
        let first = (0..<common).first { !isEqual($0, frames) } ?? common
        // Windows of different lengths differ from the end of the shorter one on, where it has zeros.
        let last = count == positions ? (first..<common).last { !isEqual($0, frames) } : 2 * positions - 1
        guard let last else { return 0..<0 }
        // Position p sees frames 2p − 2 to 2p + 2.
        return max(first - 1, 0) / 2..<min(last / 2 + 2, positions)
    }

    /// Stores the audio's frames and changed positions, and fills in the unchanged ones in `x`, [positions, width].
    func exchange(
        _ frames: UnsafePointer<Float>, positions: Int, changed: Range<Int>, x: UnsafeMutablePointer<Float>
    ) {
        copy(x, to: output.pointer, changed)
        copy(output.pointer, to: x, 0..<changed.lowerBound)
        copy(output.pointer, to: x, changed.upperBound..<positions)
        mel.pointer.update(from: frames, count: 2 * positions * melCount)
        count = positions
    }

    private func isEqual(_ frame: Int, _ frames: UnsafePointer<Float>) -> Bool {
        let offset = frame * melCount
        return memcmp(mel.pointer + offset, frames + offset, melCount * MemoryLayout<Float>.size) == 0
    }

    private func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ rows: Range<Int>) {
        (target + rows.lowerBound * width).update(from: source + rows.lowerBound * width, count: rows.count * width)
    }
}
