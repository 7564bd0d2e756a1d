import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoiceActivity

@Suite struct SileroFileTests {
    private let bytes: [UInt8]
    private let folder: TemporaryFolder

    init() throws {
        bytes = [UInt8](try Data(contentsOf: VoiceActivityGoldens.silero))
        folder = try TemporaryFolder()
    }

    private func load(_ bytes: [UInt8]) throws -> SileroModel {
        let file = folder.url.appendingPathComponent("silero.bin")
        try Data(bytes).write(to: file)
        return try SileroModel.load(file: file)
    }

    private func code(_ bytes: [UInt8]) -> StenoError.Code? {
        #expect(throws: StenoError.self) { try load(bytes) }?.code
    }

    @Test func theBundledNetworkLoads() throws {
        #expect(try load(bytes).version == "6.2.0")
        #expect(try BundledSilero.fasterWhisper().version == "6.0.0")
    }

    @Test func aMissingFileIsReported() {
        let nowhere = folder.url.appendingPathComponent("nowhere.bin")
        #expect(throws: StenoError.self) { try SileroModel.load(file: nowhere) }
    }

    @Test(arguments: [1, 3, 4, 8, 17, 30, 80, 100, 113, 114, 130, 99_000, 752_645, 885_097])
    func aTruncatedFileIsDamaged(length: Int) {
        #expect(code(Array(bytes.prefix(length))) == .modelDamaged)
    }

    @Test func otherFilesAreNotSupported() {
        #expect(code(Array("RIFF".utf8) + bytes.dropFirst(4)) == .modelUnsupported)
        // The window length: 512 becomes 256.
        var other = bytes
        other[31] = 1
        #expect(code(other) == .modelUnsupported)
    }

    @Test func weightsThatAreNotFiniteAreDamaged() {
        var broken = bytes
        // The last float16 of the spectrum's tensor.
        broken.replaceSubrange(bytes.count - 2..<bytes.count, with: [0x00, 0x7e])
        #expect(code(broken) == .modelDamaged)
    }

    /// Whatever a header contains, the loader returns the network or throws an error of its own.
    @Test func brokenHeadersNeverCrash() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<300 {
            var broken = bytes
            // Headers are at the start of the file and between the tensors; the first 114 bytes are all header.
            let place = random.next() % 3 == 0 ? Int(random.next() % 114) : Int(random.next() % UInt64(bytes.count))
            broken[place] = UInt8(truncatingIfNeeded: random.next())
            do {
                _ = try load(broken)
            } catch {
                #expect(error is StenoError)
            }
        }
    }
}
