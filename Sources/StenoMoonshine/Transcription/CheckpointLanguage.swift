import Foundation
import StenoCompute
import StenoCore

/// The language of a checkpoint: every Moonshine model knows exactly one, and its weights do not say which.
///
/// It is the first that is given by: `language` in `config.json` (no published checkpoint has it; it is for models whose
/// folder has been renamed), `language` in the front matter of `README.md`, and the end of a name such as
/// `moonshine-tiny-ja`, which may be `_name_or_path` in `config.json` or a folder of the model's path. Others are English.
struct CheckpointLanguage: Sendable, Hashable {
    let code: String

    /// Languages whose texts have at most 6.5 tokens a second, as the model's publisher states; other scripts are spelled
    /// out in more tokens of this vocabulary.
    private static let compact: Set = ["en", "es"]

    /// The most tokens that a second of speech can have; more are a loop.
    var tokensPerSecond: Double { Self.compact.contains(code) ? 6.5 : 13 }

    init(code: String) { self.code = code }

    /// - Throws: `modelDamaged` if `config.json` is not valid; `modelUnsupported` for a language that is not known.
    init(folder: URL) throws {
        let config = try ModelJSON.read(Configuration.self, "config.json", in: folder)
        if let given = config?.language {
            code = try unwrap(
                Languages.code(for: given), or: .modelUnsupported,
                "The language “\(given.prefix(40))” in \(folder.path)/config.json is not a known one. Write its code, "
                    + "such as \"en\".")
            return
        }
        let names = [config?._name_or_path].compactMap(\.self) + folder.standardizedFileURL.pathComponents.reversed()
        code = Self.inCard(of: folder) ?? names.lazy.compactMap(Self.inName).first ?? "en"
    }

    /// The language at the end of a name such as `moonshine-tiny-ja` or `models--UsefulSensors--moonshine-tiny-ja`.
    private static func inName(_ name: String) -> String? {
        let last = name.lowercased().split(separator: "/").last?.replacing("--", with: "/").split(separator: "/").last
        guard let parts = last?.split(separator: "-"), parts.first == "moonshine", parts.count > 2, let end = parts.last
        else { return nil }
        return Languages.name(of: String(end)) == nil ? nil : String(end)
    }

    /// The language in a model card: `language: ja`, or a list of which it is the first.
    private static func inCard(of folder: URL) -> String? {
        let file = folder.appendingPathComponent("README.md")
        guard let card = try? ModelFile(path: file.path), let bytes = try? card.bytes(0..<min(4096, card.byteCount))
        else { return nil }
        var lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)[...]
        guard lines.popFirst()?.trimmingWhitespace == "---" else { return nil }
        lines = lines.prefix { $0.trimmingWhitespace != "---" }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("language:") }) else { return nil }
        let inline = lines[start].dropFirst("language:".count)
        let value = inline.trimmingWhitespace.isEmpty ? lines.dropFirst(start - lines.startIndex + 1).first : inline
        let marks: Set<Character> = ["-", "[", "]", "\"", "'", ",", " "]
        let code = value?.split { marks.contains($0) }.first.map(String.init)
        return code.flatMap(Languages.code)
    }

    private struct Configuration: Decodable {
        var language: String?
        var _name_or_path: String?
    }
}
