import Foundation
import Steno
import StenoModelStore
import StenoModels

/// Finds the model of a configuration, and downloads it if possible and allowed.
struct ModelFinder: Sendable {
    typealias Progress = @Sendable (DownloadProgress) -> Void

    /// The current finder, which downloads from the Hugging Face hub; tests replace it within a task.
    @TaskLocal static var current = ModelFinder(
        ModelSupply<Progress> { try await ModelDownloader().download($0, progress: $1) })

    private let supply: ModelSupply<Progress>

    init(_ supply: ModelSupply<Progress>) { self.supply = supply }

    func folder(_ config: WhisperKitConfig, progress: @escaping Progress) async throws -> URL {
        let locator = supply.locator
        if let folder = config.modelFolder { return try locator.locate(folder).folder }
        if let repository = config.modelRepo, !repository.hasPrefix(WhisperKitModelName.coreMLRepository) {
            return try await found(repository, config, progress)
        }
        guard let name = config.model else {
            do { return try locator.locate().folder } catch  where !locator.isDefaultNamed {
                return try await found(ModelCatalog.standard, config, progress)
            }
        }
        return try await found(WhisperKitModelName(name).stenoName(), config, progress)
    }

    private func found(_ name: String, _ config: WhisperKitConfig, _ progress: @escaping Progress) async throws -> URL {
        try await supply.folder(
            of: name, mayDownload: config.download, orGivenAs: "modelFolder", progress: progress,
            failure: WhisperError.modelsUnavailable)
    }
}

/// A WhisperKit model name: a size, with a prefix, a date and the variant of its Core ML version.
struct WhisperKitModelName: Hashable {
    /// The repository of the models in Core ML format, which Steno does not read; Steno has its own version of each.
    static let coreMLRepository = "argmaxinc/whisperkit-coreml"

    private let name: String

    init(_ name: String) { self.name = name }

    /// The name by which Steno finds the model.
    ///
    /// - Throws: ``WhisperError/modelsUnavailable(_:)`` if a pattern matches no model, or several.
    func stenoName() throws -> String {
        let size = Self.sizeAlone(name)
        guard size.contains("*") else { return size }
        let parts = size.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        let found = Set(Self.sizes.filter { Self.fits($0, parts) })
        guard let only = found.first, found.count == 1 else {
            throw WhisperError.modelsUnavailable(
                found.isEmpty
                    ? "No model matches “\(name)”. The models are \(Self.sizes.joined(separator: ", "))."
                    : "Several models match “\(name)”: \(found.sorted().joined(separator: ", ")). Name one of them.")
        }
        return only
    }

    /// The names of the models that match at least one pattern, in which `*` stands for any text.
    static func all(matching patterns: [String]) -> [String] {
        let parts = patterns.map { pattern in
            sizeAlone(pattern).split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        }
        return sizes.filter { size in parts.contains { $0.count == 1 ? $0[0] == size : fits(size, $0) } }
    }

    /// The name without the prefix and the variant; the date of a large model determines its version.
    private static func sizeAlone(_ name: String) -> String {
        var size = name.split(separator: "/").last.map(String.init) ?? name
        for prefix in ["openai_whisper-", "openai_", "whisper-", "distil-whisper_"] where size.hasPrefix(prefix) {
            size.removeFirst(prefix.count)
        }
        size = String(size.prefix { $0 != "_" })
        let dated = ["large-v3-v20240930": "turbo", "large-v3-turbo": "turbo"]
        return dated[size] ?? size
    }

    private static func fits(_ name: String, _ parts: [String]) -> Bool {
        guard let first = parts.first, let last = parts.last, name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private static let sizes = [
        "tiny", "tiny.en", "base", "base.en", "small", "small.en", "medium", "medium.en", "large-v1", "large-v2",
        "large-v3", "turbo", "distil-large-v2", "distil-large-v3",
    ]
}
