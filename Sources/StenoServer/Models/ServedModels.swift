#if Server
    import Foundation
    import Hummingbird
    import Logging
    package import Steno
    package import StenoCore

    /// The models that a server offers, by name, and how they are loaded.
    package struct ServedModels: Sendable {
        /// The names, the default first.
        package let names: [String]
        /// The bytes of a model's files; 0 if unknown.
        package let size: @Sendable (_ name: String) -> Int
        /// The languages of a model, if they are known without loading it.
        package let languages: @Sendable (_ name: String) -> [String]?
        /// Loads a model; called only with one of ``names``.
        package let load: @Sendable (_ name: String) async throws -> any SpeechModel

        /// - Parameter names: At least one.
        package init(
            names: [String], size: @escaping @Sendable (String) -> Int = { _ in 0 },
            languages: @escaping @Sendable (String) -> [String]? = { _ in nil },
            load: @escaping @Sendable (String) async throws -> any SpeechModel
        ) {
            precondition(!names.isEmpty, "A server has a model.")
            (self.names, self.size, self.languages, self.load) = (names, size, languages, load)
        }

        /// The models of this machine.
        ///
        /// - Parameter named: Names or paths from the person who starts the server, the default first; empty for the
        ///   default model and every installed one.
        /// - Throws: `StenoError`: `modelNotFound`; `invalidOption` if two of the given models have the same name.
        package static func located(
            _ named: [String], threads: Int? = nil, locator: ModelLocator = ModelLocator()
        ) throws -> ServedModels {
            var models = try named.isEmpty ? [locator.locate()] : named.map { try locator.locate($0) }
            if named.isEmpty { models += locator.all() }
            var folders: [String: URL] = [:]
            var names: [String] = []
            var languages: [String: [String]] = [:]
            for model in models {
                // A path reveals the server's file system, which clients must not see.
                let name = model.origin == .path ? model.folder.lastPathComponent : model.name
                if let other = folders[name] {
                    guard named.isEmpty || FileIdentity(other) == FileIdentity(model.folder) else {
                        throw sameName(name, other, model.folder)
                    }
                    continue
                }
                folders[name] = model.folder
                languages[name] = ModelCatalog.model(of: model)?.languages
                names.append(name)
            }
            return ServedModels(
                names: names, size: { [folders] in folders[$0]?.contentSize ?? 0 },
                languages: { [languages] in languages[$0] }
            ) { [folders] name in
                guard let folder = folders[name] else { throw ServerError.unknownModel(name, served: []) }
                return try await Transcriber.load(folder, threads: threads).model
            }
        }

        private static func sameName(_ name: String, _ first: URL, _ second: URL) -> StenoError {
            StenoError(
                .invalidOption,
                "Two models would be served as “\(name)”: \(first.path) and \(second.path). Rename one of them, "
                    + "or pass the path of a link with another name.")
        }

        /// The same models, with a log that says why one cannot be loaded; clients learn only that it cannot.
        func reporting(to logger: Logger) -> ServedModels {
            ServedModels(names: names, size: size, languages: languages) { [load] name in
                do { return try await load(name) } catch let error as StenoError {
                    logger.error("The model \(name) cannot be loaded: \(error.message)")
                    throw error
                }
            }
        }

        /// The name of the model for a request; see ``ModelHost/resolve(_:)``.
        func resolve(_ name: String?) throws(ServerError) -> String {
            let name = name?.trimmingWhitespace ?? ""
            if names.contains(name) { return name }
            if name.isEmpty || Self.aliases.contains(name) || Self.aliasPrefixes.contains(where: name.hasPrefix) {
                return names[0]
            }
            throw .unknownModel(name, served: names)
        }

        /// OpenAI's model names, which clients send by default.
        private static let aliases: Set<String> = [
            "whisper-1", "gpt-transcribe", "gpt-realtime-whisper", "default", "auto",
        ]
        private static let aliasPrefixes = ["gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-realtime"]
    }

    extension URL {
        /// The bytes of a file, or of the files in a folder.
        fileprivate var contentSize: Int {
            let files = FileManager.default
            let children = (try? files.contentsOfDirectory(at: self, includingPropertiesForKeys: [.fileSizeKey])) ?? []
            return (children.isEmpty ? [self] : children).reduce(0) {
                $0 + ((try? $1.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
            }
        }
    }

    /// `GET /v1/models` and `/v1/models/{id}`.
    @available(macOS 14, iOS 17, *)
    struct ModelsEndpoint: Sendable {
        let models: ModelHost
        /// When the server started, in seconds since 1970; clients need not know the dates of model files.
        let started: Int

        var routes: [Route] {
            [
                Route("/v1/models", [.get: { _, _ in list() }]),
                Route("/v1/models/{model}", isOpen: true, [.get: { try model($1) }]),
            ]
        }

        private func list() -> Response { .json(["object": "list", "data": .array(models.names.map(object))]) }

        /// One model; the answer repeats an OpenAI name as given, because clients ask for the name that they will use.
        private func model(_ context: ServerRequestContext) throws -> Response {
            let name = context.parameters.getCatchAll().map { String($0).removingPercentEncoding ?? String($0) }
                .joined(separator: "/")
            _ = try models.resolve(name)
            return .json(object(name))
        }

        private func object(_ name: String) -> JSONValue {
            ["id": .string(name), "object": "model", "created": .number(Double(started)), "owned_by": "steno"]
        }
    }
#endif
