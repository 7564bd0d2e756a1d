package import Foundation
package import StenoCore

/// A Hugging Face folder's tensors: in `model.safetensors`, or in the files that `model.safetensors.index.json` lists.
///
/// ```
/// {"metadata": {…}, "weight_map": {"name of a tensor": "model-00001-of-00002.safetensors", …}}
/// ```
package struct SafetensorsFolder: Sendable {
    private let files: [SafetensorsFile]
    /// The index in `files` of each tensor, by name.
    private let places: [String: Int]

    /// - Throws: `modelNotFound` if a file is missing, `modelDamaged`.
    package init(folder: URL) throws {
        let single = folder.appendingPathComponent(ModelFormat.huggingFaceWeights[0])
        let index = folder.appendingPathComponent(ModelFormat.huggingFaceWeights[1])
        guard !FileManager.default.fileExists(atPath: single.path),
            FileManager.default.fileExists(atPath: index.path)
        else {
            let file = try SafetensorsFile(path: single.path)
            files = [file]
            places = Dictionary(uniqueKeysWithValues: file.names.map { ($0, 0) })
            return
        }
        let fileNames = try Self.fileNames(of: index)
        let distinct = Set(fileNames.values).sorted()
        files = try distinct.enumerated().map { number, name in
            try Self.part(folder.appendingPathComponent(name), number: number + 1, of: distinct.count)
        }
        let indexes = Dictionary(uniqueKeysWithValues: distinct.enumerated().map { ($1, $0) })
        places = fileNames.compactMapValues { indexes[$0] }
    }

    package var fileCount: Int { files.count }

    package var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }

    /// What a model of this folder came from, by one of its large tensors.
    package func source(_ folder: URL, _ tensor: WeightTensor?) -> ModelSource {
        ModelSource(
            path: folder.path, format: "Hugging Face safetensors" + (fileCount > 1 ? ", \(fileCount) files" : ""),
            storedPrecision: (tensor?.format ?? .float32).name, byteCount: byteCount)
    }

    /// The names of all tensors, without the scales of int8 matrices.
    package var names: Set<String> {
        let matrices = places.filter { files[$0.value].format(of: $0.key) == .int8 }.keys
        return Set(places.keys).subtracting(matrices.map { $0 + SafetensorsWriter.scaleSuffix })
    }

    /// The tensor with that name, an int8 matrix with its scales; nil if there is none.
    ///
    /// - Throws: `modelUnsupported` for other integers, `modelDamaged`.
    package func tensor(_ name: String) throws -> WeightTensor? {
        guard let tensor = try stored(name) else { return nil }
        guard tensor.format == .int8 else { return tensor }
        let scales = try stored(name + SafetensorsWriter.scaleSuffix)
        guard let scales, scales.format == .float32, scales.shape == [tensor.rows] else {
            throw StenoError(
                .modelDamaged,
                "The model's tensor \(name) is stored as int8, but not with a float32 scale for each of its "
                    + "\(tensor.rows) rows. Convert the model again.")
        }
        return WeightTensor(tensor, name: name, scales: try scales.floats().array)
    }

    /// Checks that the configuration counts all layers of which there are weights: without the last ones, a model invents
    /// text.
    ///
    /// - Parameter layers: The numbers of layers, by what comes before a layer's number in the names of its tensors.
    /// - Throws: `modelDamaged`.
    package func check(layers: [String: Int]) throws {
        for name in places.keys {
            for (prefix, count) in layers where name.hasPrefix(prefix) {
                guard let number = Int(name.dropFirst(prefix.count).prefix(while: \.isNumber)), number >= count else {
                    continue
                }
                throw StenoError(
                    .modelDamaged,
                    "The model has more layers than its config.json says, which is \(count): it has the tensor \(name). "
                        + "Download the model again.")
            }
        }
    }

    private func stored(_ name: String) throws -> WeightTensor? {
        guard let place = places[name] else { return nil }
        let tensor = try unwrap(
            files[place].tensor(name), or: .modelDamaged,
            "The model's index says that \(files[place].name) has the tensor \(name), but it does not: the files "
                + "belong to different models. Download the model again.")
        return tensor
    }

    /// The largest published models have three parts.
    private static let maximumFiles = 256

    private static func fileNames(of index: URL) throws -> [String: String] {
        let names = try ModelJSON.require(IndexFile.self, at: index).weight_map
        for name in Set(names.values) where name.isEmpty || name.contains("/") || name.hasPrefix(".") {
            throw StenoError(
                .modelDamaged,
                "\(index.path) names \(name.prefix(80)), which is not a file next to it. Download the model again."
            )
        }
        try ensure(
            names.count <= WeightLimits.tensors && Set(names.values).count <= maximumFiles && !names.isEmpty,
            or: .modelDamaged,
            "\(index.path) lists \(names.count) tensors in \(Set(names.values).count) files. Download the model "
                + "again.")
        return names
    }

    private static func part(_ file: URL, number: Int, of count: Int) throws -> SafetensorsFile {
        try ensure(
            FileManager.default.fileExists(atPath: file.path), or: .modelNotFound,
            "\(file.path) is missing, part \(number) of the model's \(count). Download the model again, with all "
                + "of its files.")
        return try SafetensorsFile(path: file.path)
    }

    private struct IndexFile: Decodable {
        var weight_map: [String: String]
    }
}
