import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Folders of Hugging Face with a few wrong bytes: a ``StenoError`` or a model, never a crash.
///
/// STENO_FUZZ_COUNT sets the number of files.
struct DamagedFileTests {
    private static var count: Int {
        ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"].flatMap { Int($0) } ?? 40
    }

    /// Wrong bits, bytes and numbers, missing and repeated parts; mostly within `table`, which has names and sizes.
    private static func damaged(_ bytes: Data, _ table: Range<Int>, _ random: inout SplitMix64) -> Data {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            guard !bytes.isEmpty else { break }
            let everywhere = Int.random(in: 0..<4, using: &random) == 0
            let range = everywhere ? 0..<bytes.count : table.clamped(to: 0..<bytes.count)
            let place = Int.random(in: range, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4...5: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 6...7 where place + 4 <= bytes.count:
                let numbers: [UInt32] = [0, 1, 2, 63, 65, 10_000, .max, .max / 2, 0x7FC0_0000, 0x7F80_0000]
                let number = numbers[Int.random(in: 0..<numbers.count, using: &random)]
                withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
            case 8: bytes.removeSubrange(place..<min(bytes.count, place + 9))
            default: bytes = bytes.prefix(max(place, 1))
            }
        }
        return bytes
    }

    /// Loads and uses damaged versions of a file.
    private static func load(
        _ file: URL, table: Range<Int>, name: String, open: (Precision) throws -> FastConformerModel
    ) throws {
        let whole = try Data(contentsOf: file), noise = [Float](SpeechModels.noise.prefix(8_000))
        var models = 0
        for round in 0..<count {
            var random = SplitMix64(seed: UInt64(round), name: name)
            try damaged(whole, table, &random).write(to: file)
            do {
                let model = try open(round.isMultiple(of: 2) ? .int8 : .float32)
                _ = try model.makeState().transcribe(noise)
                models += 1
            } catch let error {
                #expect(error is StenoError, "round \(round): \(error)")
            }
        }
        try whole.write(to: file)
        print("damaged \(name): \(models) of \(count) are models")
        #expect(models < count)
    }

    @Test(arguments: ["model.safetensors", "config.json", "tokenizer.json"]) func huggingFaceFolders(
        name: String
    ) throws {
        let folder = try TemporaryFolder()
        try #require(try FastConformerGoldens.shared.get().models["tdt"]).write(to: folder.url)
        try Self.load(folder.url.appendingPathComponent(name), table: 0..<6_000, name: name) {
            try FastConformerModel.load(folder: folder.url, precision: $0, threads: 1)
        }
    }
}
