import Foundation
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// The tensors of a small network with random weights, by the rules of `Tools/support/speaker_networks.py`.
struct RandomNetwork {
    var dimensions: [String: [Int]]
    var values: [String: [Float]]

    init(_ kind: String) throws {
        let goldens = try SpeakerNetworkGoldens.shared.get()
        dimensions = goldens.tensors[kind] ?? [:]
        values = [:]
        for (name, dimensions) in dimensions {
            let (centre, span) = Self.role(name, dimensions)
            values[name] = goldens.uniform(name, count: dimensions.reduce(1, *), centre: centre, span: span)
        }
    }

    private static func role(_ name: String, _ dimensions: [Int]) -> (centre: Float, span: Double) {
        if name.contains("running_var") { return (1, 0.5) }
        if name.contains("bias") || name.contains("running_mean") { return (0, 0.1) }
        return dimensions.count == 1 ? (1, 0.2) : (0, (3 / Double(dimensions.dropFirst().reduce(1, *))).squareRoot())
    }

    func write(to folder: TemporaryFolder) throws -> URL {
        let all = values.sorted { $0.key < $1.key }.map { name, values in
            (name, dimensions[name] ?? [], values.withUnsafeBytes { Data($0) })
        }
        let file = folder.url.appendingPathComponent("network.safetensors")
        try safetensorsFile(all).bytes.write(to: file)
        return file
    }
}

/// The output of `Tools/goldens/make_speaker_network_goldens.py`.
struct SpeakerNetworkGoldens {
    struct Output: Decodable {
        let name: String
        let shape: [Int]
        let offset: Int
        /// The fingerprint of the recording's samples.
        let sha256: String?

        /// The last parts of the name: `small/segmentation/1261` has three.
        var parts: [String] { name.split(separator: "/").map(String.init) }
    }

    private struct Index: Decodable {
        let seed: UInt64
        let tensors: [String: [String: [Int]]]
        let outputs: [Output]
    }

    static let shared = Result { try SpeakerNetworkGoldens() }

    let seed: UInt64
    /// The names and dimensions of the small networks' tensors.
    let tensors: [String: [String: [Int]]]
    let outputs: [Output]
    private let values: [Float]

    private init() throws {
        let folder = Fixtures.file("speaker-networks")
        let index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: folder.appendingPathComponent("goldens.json")))
        (seed, tensors, outputs) = (index.seed, index.tensors, index.outputs)
        values = try Data(contentsOf: folder.appendingPathComponent("values.bin")).withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    func values(of output: Output) -> [Float] {
        Array(values[output.offset..<output.offset + output.shape.reduce(1, *)])
    }

    /// The outputs whose names begin like that.
    func outputs(of prefix: String) -> [Output] { outputs.filter { $0.name.hasPrefix(prefix) } }

    /// The numbers that the script computes from a name.
    func uniform(_ name: String, count: Int, centre: Float, span: Double) -> [Float] {
        var random = SplitMix64(seed: seed, name: name)
        return random.uniform(count: count, centre: centre, span: span)
    }

    /// Every second stretch of seven rows.
    static func picked(_ count: Int) -> [Bool] { (0..<count).map { $0 / 7 % 2 == 0 } }

    /// A recording, whose samples must be the script's.
    static func samples(_ name: String, _ output: Output) throws -> [Float] {
        let samples = try TestAudio.samplesOfPlainWAV(Fixtures.bundledSample(name))
        #expect(SHA256.fingerprint(of: samples) == output.sha256, "\(name) has other samples")
        return samples
    }
}

/// A file of one of the published networks; nil if the environment does not name their folder.
func publishedNetwork(_ name: String) -> URL? { speakerNetworks?.appendingPathComponent(name + ".safetensors") }

extension SegmentationShape {
    /// `small_segmentation` in `Tools/support/speaker_networks.py`.
    static let small = SegmentationShape(filters: 16, channels: 12, cells: 16, layers: 2, hidden: 24)
}

extension CAMPlusShape {
    /// `small_cam_plus` in `Tools/support/speaker_networks.py`.
    static let small = CAMPlusShape(
        bands: 16, channels: 8, width: 16, growth: 8, bottleneck: 16,
        blocks: [Block(layers: 2, dilation: 1), Block(layers: 3, dilation: 2), Block(layers: 2, dilation: 2)],
        values: 12)
}
