import Foundation
import StenoCompute
import StenoCore

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

    /// The number of bytes of a model's weights.
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
