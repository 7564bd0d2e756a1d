#if Server
    import Foundation
    package import NIOCore

    /// The fields of a form that was sent as `multipart/form-data`, and its file.
    package struct UploadedForm: Sendable {
        /// The values of each field in order, by names without a trailing `[]`.
        package private(set) var values: [String: [String]] = [:]
        package private(set) var file: UploadedFile?
        /// The share of the memory budget that the long fields hold.
        private(set) var room: UploadShare?

        /// The maximum size of kept fields, in bytes.
        package struct FieldLimit: Sendable {
            let each: Int
            /// For all values together: of the field with this limit, or of all fields without their own.
            let all: Int
        }

        private static let usualLimit = FieldLimit(each: 64 << 10, all: 512 << 10)

        /// The maximum size of a form without its file, in bytes.
        package static func fieldsRoom(_ long: [String: FieldLimit]) -> Int {
            long.values.reduce(1 << 20) { $0 + $1.all }
        }

        /// The last value of a field; nil when it is missing or empty.
        package subscript(name: String) -> String? { values[name]?.last.flatMap { $0.isEmpty ? nil : $0 } }

        /// Reads a body to its end.
        ///
        /// - Parameters:
        ///   - kept: The names of the fields to keep; the values of others are dropped.
        ///   - long: Fields that may have more bytes than others.
        ///   - memory: The bytes that the long fields of all requests may take.
        ///   - file: Where the part called `file` goes.
        /// - Throws: ``ServerError``; the errors of the body.
        package static func read<Body: AsyncSequence>(
            _ body: Body, contentType: String, keeping kept: Set<String>,
            long: [String: FieldLimit] = [:], memory: UploadBudget? = nil, file: UploadedFile
        ) async throws -> UploadedForm where Body.Element == ByteBuffer {
            var reader = FormReader(
                try MultipartParser(contentType: contentType), kept: kept, long: long, memory: memory, file: file)
            var byteCount = 0
            for try await bytes in body {
                byteCount += bytes.readableBytes
                // The rest of the form counts too, so that no request is endless.
                guard byteCount <= file.limit + fieldsRoom(long) else { throw UploadedFile.tooLarge(limit: file.limit) }
                try await reader.take(bytes)
            }
            return try await reader.finish()
        }

        private struct FormReader {
            private var parser: MultipartParser
            private let kept: Set<String>
            private let long: [String: FieldLimit]
            private let file: UploadedFile
            private var form = UploadedForm()
            private var part: (name: String, isFile: Bool)?
            private var value = ByteBuffer()
            /// The bytes kept so far: of each long field, and of all others under an empty name.
            private var keptBytes: [String: Int] = [:]

            init(
                _ parser: MultipartParser, kept: Set<String>, long: [String: FieldLimit], memory: UploadBudget?,
                file: UploadedFile
            ) {
                (self.parser, self.kept, self.long, self.file) = (parser, kept, long, file)
                form.room = memory.map { UploadShare(of: $0) }
            }

            mutating func take(_ bytes: ByteBuffer) async throws {
                parser.append(bytes)
                while let event = try parser.next() {
                    switch event {
                    case .part(let name, let isFile): try begin(name, isFile: isFile)
                    case .data(let data): try await add(data)
                    case .partEnd: try await end()
                    }
                }
            }

            func finish() async throws -> UploadedForm {
                guard parser.isComplete else {
                    throw ServerError.invalid(
                        "The body ends before its last boundary. Send the whole form.", code: "invalid_multipart")
                }
                return form
            }

            private mutating func begin(_ name: String, isFile: Bool) throws {
                guard name == "file" else {
                    part = (UploadedForm.baseName(name), false)
                    return
                }
                guard form.file == nil else {
                    throw ServerError.invalid(
                        "The form has more than one file. Send one file per request.", parameter: "file")
                }
                guard isFile else {
                    throw ServerError.invalid(
                        "The field “file” must be a file: its part needs a filename.", parameter: "file")
                }
                part = (name, true)
            }

            private mutating func add(_ data: ByteBuffer) async throws {
                guard let part else { return }
                if part.isFile { return try await file.write(data) }
                guard kept.contains(part.name) else { return }
                let isLong = long[part.name] != nil
                let limit = long[part.name] ?? UploadedForm.usualLimit
                let total = keptBytes[isLong ? part.name : "", default: 0] + data.readableBytes
                keptBytes[isLong ? part.name : ""] = total
                guard value.readableBytes + data.readableBytes <= limit.each, total <= limit.all else {
                    throw ServerError.invalid(
                        "The field “\(part.name)” is too long. Shorten it.", parameter: part.name, status: 413)
                }
                if isLong { try form.room?.take(data.readableBytes) }
                value.writeImmutableBuffer(data)
            }

            private mutating func end() async throws {
                guard let part else { return }
                self.part = nil
                if part.isFile {
                    try await file.complete()
                    form.file = file
                } else if kept.contains(part.name) {
                    guard let text = String(bytes: value.readableBytesView, encoding: .utf8) else {
                        throw ServerError.invalid(
                            "The field “\(part.name)” is not UTF-8. Encode it as UTF-8.", parameter: part.name)
                    }
                    form.values[part.name, default: []].append(text)
                    value.clear()
                }
            }
        }

        /// The name of a field without the suffix of a list: `include[]`, `include[0]`.
        private static func baseName(_ name: String) -> String {
            name.hasSuffix("]") ? String(name.prefix { $0 != "[" }) : name
        }
    }

    extension MultipartParser {
        /// - Throws: ``ServerError`` when it is not a form's type, or has no valid boundary.
        fileprivate init(contentType: String) throws(ServerError) {
            let type = HeaderParameters(contentType)
            guard type.value.lowercased() == "multipart/form-data" else {
                throw .invalid("The body must be multipart/form-data.", code: "unsupported_media_type", status: 415)
            }
            guard let boundary = type["boundary"], (1...70).contains(boundary.utf8.count),
                boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw .invalid("The header Content-Type has no valid boundary.", code: "invalid_multipart") }
            self.init(boundary: boundary)
        }
    }
#endif
