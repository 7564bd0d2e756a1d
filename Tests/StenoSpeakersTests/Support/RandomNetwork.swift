import Foundation
import StenoTestSupport

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
