#if Server
    import Foundation

    /// The value of a header with parameters: `form-data; name="file"`, `multipart/form-data; boundary=xyz`.
    struct HeaderParameters: Hashable {
        /// The part before the first semicolon.
        let value: String
        private let parameters: [String: String]

        /// Parses a value; malformed parameters are skipped.
        init(_ text: String) {
            var pieces = Self.split(text)[...]
            value = pieces.popFirst().map(Self.trimmed) ?? ""
            var parameters: [String: String] = [:]
            for piece in pieces {
                guard let equals = piece.firstIndex(of: "=") else { continue }
                let name = Self.trimmed(String(piece[..<equals])).lowercased()
                let value = Self.unquoted(Self.trimmed(String(piece[piece.index(after: equals)...])))
                if parameters[name] == nil { parameters[name] = value }
            }
            self.parameters = parameters
        }

        subscript(name: String) -> String? { parameters[name] }

        /// Splits at semicolons that are not within quotes.
        private static func split(_ text: String) -> [String] {
            var pieces = [""]
            var isQuoted = false
            var isEscaped = false
            for character in text {
                if character == ";", !isQuoted {
                    pieces.append("")
                    continue
                }
                if character == "\"", !isEscaped { isQuoted.toggle() }
                isEscaped = character == "\\" && isQuoted && !isEscaped
                pieces[pieces.count - 1].append(character)
            }
            return pieces
        }

        /// Browsers write a quote within a name as `%22`, others as `\"`.
        private static func unquoted(_ text: String) -> String {
            guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
            var result = ""
            var isEscaped = false
            for character in text.dropFirst().dropLast() {
                if character == "\\", !isEscaped {
                    isEscaped = true
                    continue
                }
                isEscaped = false
                result.append(character)
            }
            return result.replacing("%22", with: "\"")
        }

        private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }
    }

    /// The relevant information in the header of a form's part: the name of its field, and whether it is a file.
    ///
    /// The name of the file is not read, because the server has no use for it.
    struct PartHeader: Hashable {
        let name: String
        let isFile: Bool

        /// Reads the lines of a header; nil without a valid `Content-Disposition: form-data; name="…"`.
        init?(_ bytes: some Collection<UInt8>) {
            guard let text = String(bytes: bytes, encoding: .utf8) else { return nil }
            // CRLF is a single character in a String, so the lines are split by scalars.
            let lines = text.unicodeScalars.split { $0 == "\r" || $0 == "\n" }.map(String.init)
            for line in lines {
                guard let colon = line.firstIndex(of: ":") else { return nil }
                guard line[..<colon].lowercased() == "content-disposition" else { continue }
                let value = HeaderParameters(String(line[line.index(after: colon)...]))
                guard value.value.lowercased() == "form-data", let name = value["name"], !name.isEmpty else {
                    return nil
                }
                self.name = name
                isFile = value["filename"] != nil || value["filename*"] != nil
                return
            }
            return nil
        }
    }
#endif
