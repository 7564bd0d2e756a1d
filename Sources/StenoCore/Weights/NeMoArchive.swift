/// A model that NVIDIA's NeMo saved: an archive with its configuration, its weights and its tokenizer.
///
/// ```
/// model_config.yaml · model_weights.ckpt · HASH_tokenizer.model · HASH_tokenizer.vocab · HASH_vocab.txt
/// ```
/// Nothing is unpacked: all values stay in the mapped file. Of a compressed archive that is a temporary copy, made by
/// opening it.
package struct NeMoArchive: Sendable {
    /// The path of the archive.
    package let path: String
    /// The configuration with which the model was made.
    package let configuration: YAMLValue

    private let archive: TarArchive

    private static let configurationName = "model_config.yaml"
    private static let weightsName = "model_weights.ckpt"

    /// Opens an archive and reads its configuration.
    ///
    /// - Parameter checkCancellation: Called from time to time while an archive is decompressed; an error that it throws
    ///   ends the reading.
    /// - Throws: `modelNotFound`, `modelDamaged`; for a compressed archive also `modelUnsupported` if the system has no
    ///   zlib, and `outputFailed` if the disk is full.
    package init(path: String, checkCancellation: () throws -> Void = {}) throws {
        self.path = path
        archive = try TarArchive(path: path, checkCancellation: checkCancellation)
        guard let bytes = archive.bytes(Self.configurationName) else {
            throw StenoError(
                .modelDamaged,
                "\(path) has no \(Self.configurationName), so it is not a complete model of NeMo. Download the model "
                    + "again."
            )
        }
        configuration = try YAMLReader.read(bytes, path: "\(path)/\(Self.configurationName)")
    }

    /// The name of the model's class in NeMo, such as `EncDecRNNTBPEModel`; nil if the configuration has none.
    package var className: String? { Self.className(configuration) }

    private static func className(_ configuration: YAMLValue) -> String? {
        configuration["target"]?.text?.split(separator: ".").last.map(String.init)
    }

    /// The class of the model in a file, without opening the rest; nil if it cannot be read, or names none.
    package static func className(path: String) -> String? {
        let bytes = try? TarArchive.file(configurationName, nearBeginningOf: path)
        let configuration = bytes.flatMap { bytes in
            try? bytes.withUnsafeBytes { try YAMLReader.read($0, path: "\(path)/\(configurationName)") }
        }
        return configuration.flatMap(className)
    }

    /// The size of the archive in bytes, without compression.
    package var byteCount: Int { archive.file.bytes.count }

    /// Opens the weights.
    ///
    /// - Throws: `modelDamaged`, `modelUnsupported`.
    package func weights() throws -> TorchCheckpoint {
        guard let place = archive.entries[Self.weightsName] else {
            throw StenoError(
                .modelDamaged,
                "\(path) has no \(Self.weightsName), so it is not a complete model of NeMo. Download the model again.")
        }
        return try TorchCheckpoint(archive.file, at: place, path: "\(path)/\(Self.weightsName)")
    }

    /// The small file whose name ends like that, since NeMo puts a hash before names; nil if there is none.
    package func file(endingIn suffix: String) -> (name: String, bytes: [UInt8])? {
        let name = archive.entries.keys.filter { $0.hasSuffix(suffix) }.min {
            ($0.utf8.count, $0) < ($1.utf8.count, $1)
        }
        return name.flatMap { name in archive.bytes(name).map { (name, [UInt8]($0)) } }
    }
}
