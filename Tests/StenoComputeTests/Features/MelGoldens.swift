import Foundation
import StenoTestSupport

/// The output of `Tools/goldens/make_mel_goldens.py`.
struct MelGoldens {
    struct Features: Decodable {
        let audio: String
        let reference: String
        let mels: Int
        let total: Int
        let frames: [Int]
        let offset: Int
    }

    struct Filters: Decodable {
        let reference: String
        let mels: Int
        let bins: Int
        let indices: [Int]
        let offset: Int
    }

    private struct Index: Decodable {
        let filters: [Filters]
        let features: [Features]
    }

    /// The goldens, read once.
    static let shared = Result { try MelGoldens() }

    let filters: [Filters]
    let features: [Features]
    private let values: [Float]

    private init() throws {
        let folder = Fixtures.file("features")
        let index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: folder.appendingPathComponent("goldens.json")))
        filters = index.filters
        features = index.features
        let bytes = try Data(contentsOf: folder.appendingPathComponent("goldens.bin"))
        values = bytes.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    func rows(_ features: Features) -> ArraySlice<Float> {
        values[features.offset..<(features.offset + features.frames.count * features.mels)]
    }

    /// All weights of a filterbank [mels][bins], zeros included.
    func weights(_ filters: Filters) -> [Float] {
        var dense = [Float](repeating: 0, count: filters.mels * filters.bins)
        for (number, index) in filters.indices.enumerated() { dense[index] = values[filters.offset + number] }
        return dense
    }

    func features(of audio: String, by reference: String, mels: Int) -> Features? {
        features.first { $0.audio == audio && $0.reference == reference && $0.mels == mels }
    }
}
