import Foundation
import StenoCompute
import StenoCore

/// Chooses the best installed model that this machine runs in real time.
///
/// Each model is measured once, with half a minute of speech, in the way of its family. The results are stored in
/// `.speeds.json` in the models folder, for this model, processor and version. Multilingual models come before English
/// ones, and larger models before smaller ones.
package struct RealTimeModels {
    /// The name that asks for such a model.
    package static let name = "auto"

    /// The highest real-time factor: decoding may take this fraction of the audio's duration.
    ///
    /// The other half of the time is for live transcription, which decodes a growing utterance more than once.
    package static let limit = 0.5

    private let models: [LocatedModel]
    private let memory: SpeedMemory

    package init(_ locator: ModelLocator = ModelLocator()) {
        models = locator.all()
        memory = SpeedMemory(folder: locator.modelsFolders.first ?? locator.home)
    }

    init(models: [LocatedModel], memory: SpeedMemory) {
        self.models = models
        self.memory = memory
    }

    /// The best of the models that have been measured; the fastest, if none runs in real time.
    ///
    /// - Throws: `modelNotFound` when none has been measured.
    package func best() throws -> LocatedModel {
        let speeds = memory.read()
        let measured = models.compactMap { model in speeds[memory.key(model)].map { (model: model, speed: $0) } }
        let fastEnough = measured.filter { $0.speed.realTimeFactor <= Self.limit }
        if let best = fastEnough.max(by: { $0.speed.rank < $1.speed.rank }) { return best.model }
        if let fastest = measured.min(by: { $0.speed.realTimeFactor < $1.speed.realTimeFactor }) {
            return fastest.model
        }
        throw StenoError(
            .modelNotFound,
            "\"\(Self.name)\" selects the best installed model that this machine runs in real time, but "
                + (models.isEmpty
                    ? "no model is installed. Run steno models download small."
                    : "none of the installed ones has been measured yet."))
    }

    /// Measures models that have not been measured; blocks for some seconds per model, once.
    ///
    /// Small models come first. After one that is too slow, larger ones are not loaded.
    ///
    /// - Parameters:
    ///   - isCancelled: Called at every layer while a model is loaded.
    ///   - measure: Loads and measures a model; a model that cannot be loaded is left out.
    package func measure(
        isCancelled: @escaping () -> Bool = { false }, willMeasure: (LocatedModel) -> Void = { _ in },
        measure: ((LocatedModel) throws -> ModelSpeed)? = nil
    ) throws {
        let measure = measure ?? { try ModelSpeed($0, isCancelled: isCancelled) }
        var speeds = memory.read()
        var slowest: Int?
        for model in models.sorted(by: { memory.size($0) < memory.size($1) }) {
            let key = memory.key(model)
            if speeds[key] == nil {
                if let slowest, memory.size(model) > slowest { continue }
                if isCancelled() { throw CancellationError() }
                willMeasure(model)
                guard let speed = try? measure(model) else { continue }
                speeds[key] = speed
                memory.write(speeds)
            }
            if let speed = speeds[key], speed.realTimeFactor > Self.limit { slowest = memory.size(model) }
        }
    }
}

/// The speed of a model on this machine, and its rank among others.
package struct ModelSpeed: Codable, Sendable, Hashable {
    /// Seconds of decoding per second of audio.
    package var realTimeFactor: Double
    package var parameterCount: Int
    /// Whether it supports languages other than English.
    package var isMultilingual: Bool

    /// The order of quality.
    var rank: (Int, Int) { (isMultilingual ? 1 : 0, parameterCount) }

    package init(realTimeFactor: Double, parameterCount: Int, isMultilingual: Bool) {
        self.realTimeFactor = realTimeFactor
        self.parameterCount = parameterCount
        self.isMultilingual = isMultilingual
    }

    /// Loads and measures a model on the calling thread.
    init(_ model: LocatedModel, isCancelled: @escaping () -> Bool) throws {
        let loaded = try ModelFamily.load(model.folder, precision: .automatic, threads: nil, isCancelled: isCancelled)
        realTimeFactor = try loaded.measureRealTimeFactor(isCancelled: isCancelled)
        parameterCount = loaded.information.parameterCount
        // A distilled model has the vocabulary of a multilingual one, although it was trained only on English.
        let known = ModelCatalog.all.first { known in
            [known.name, known.repository].contains { model.folder.path.contains($0.replacing("/", with: "--")) }
                || model.name == known.name || model.name == known.repository
        }
        isMultilingual = loaded.information.languages.count > 1 && known?.languageCount != 1
    }
}

/// The file that stores the measured speeds of models.
struct SpeedMemory {
    let folder: URL
    var processor = ProcessorName.current
    var version = StenoVersion.current

    private var file: URL { folder.appendingPathComponent(".speeds.json") }

    /// The stored measurements; empty if the file is missing or damaged.
    func read() -> [String: ModelSpeed] {
        guard let data = try? Data(contentsOf: file) else { return [:] }
        return (try? JSONDecoder().decode([String: ModelSpeed].self, from: data)) ?? [:]
    }

    /// Stores results; if they cannot be written, they are measured again next time.
    func write(_ speeds: [String: ModelSpeed]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let data = try? encoder.encode(speeds) else { return }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? AtomicFile.write(String(decoding: data, as: UTF8.self), to: file)
    }

    /// The conditions of a result: the model's weights, the processor, the version of Steno.
    func key(_ model: LocatedModel) -> String {
        let weights = weights(model)
        let parts = [weights.path, "\(weights.size)", "\(weights.changed)", processor, version]
        return parts.joined(separator: " | ")
    }

    func size(_ model: LocatedModel) -> Int { weights(model).size }

    /// The largest file of a model.
    private func weights(_ model: LocatedModel) -> (path: String, size: Int, changed: Int) {
        let files =
            model.folder.isFolder
            ? model.folder.childNames.map { model.folder.appendingPathComponent($0) } : [model.folder]
        var largest = (path: model.folder.path, size: 0, changed: 0)
        for file in files {
            var status = stat()
            guard stat(file.path, &status) == 0, Int(status.st_size) >= largest.size else { continue }
            #if canImport(Darwin)
                let changed = status.st_mtimespec.tv_sec
            #else
                let changed = status.st_mtim.tv_sec
            #endif
            largest = (file.resolvingSymlinksInPath().path, Int(status.st_size), Int(changed))
        }
        return largest
    }
}

/// The name of the processor, with the number of cores used for measuring, because a container has a quota.
enum ProcessorName {
    static let current: String = {
        "\(name ?? "unknown processor"), \(WorkerPool.shared.threads) cores"
    }()

    private static var name: String? {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 1 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0) == 0 else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #else
            // `model name` on x86, `CPU part` on arm64.
            let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
            let line = lines.first { $0.hasPrefix("model name") } ?? lines.first { $0.hasPrefix("CPU part") }
            return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        #endif
    }
}
