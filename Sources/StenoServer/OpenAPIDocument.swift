#if Server
    import Foundation

    /// The OpenAPI 3.1 description of the REST API, served at `/openapi.json`.
    ///
    /// The file `openapi.json` describes a server with all features; this removes the ones that a server lacks.
    struct OpenAPIDocument {
        static let path = "/openapi.json"

        /// The document as JSON.
        let text: String

        /// - Throws: `StenoError.resourceMissing` when the file was not installed with the program.
        init(paths served: [String]) throws {
            let name = "openapi.json"
            let file = try ServerResources.url(name)
            guard let data = try? Data(contentsOf: file), var document = try? JSONValue(parsing: data).object else {
                throw ServerResources.missing(name)
            }
            let served = Set(served)
            let paths = (document["paths"]?.object ?? [:]).filter { served.contains($0.key) }
            var components = document["components"]?.object ?? [:]
            let schemas = components["schemas"]?.object ?? [:]
            var used: Set<String> = []
            Self.addSchemas(of: .object(paths), from: schemas, to: &used)
            Self.addSchemas(of: components["responses"] ?? .null, from: schemas, to: &used)
            components["schemas"] = .object(schemas.filter { used.contains($0.key) })
            document["components"] = .object(components)
            document["paths"] = .object(paths)
            text = JSONValue.object(document).text
        }

        /// Adds the names of the schemas that a value refers to, directly or indirectly.
        private static func addSchemas(
            of value: JSONValue, from schemas: [String: JSONValue], to names: inout Set<String>
        ) {
            let prefix = "#/components/schemas/"
            switch value {
            case .string(let text) where text.hasPrefix(prefix):
                let name = String(text.dropFirst(prefix.count))
                if names.insert(name).inserted, let schema = schemas[name] {
                    addSchemas(of: schema, from: schemas, to: &names)
                }
            case .array(let values): for value in values { addSchemas(of: value, from: schemas, to: &names) }
            case .object(let members): for value in members.values { addSchemas(of: value, from: schemas, to: &names) }
            default: break
            }
        }
    }
#endif
