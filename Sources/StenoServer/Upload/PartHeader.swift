#if Server
    import Foundation

    /// The relevant information in the header of a form's part: the name of its field, and whether it is a file.
    ///
    /// The name of the file is not read: nothing a client calls its file is of use to the server.
    struct PartHeader: Hashable {
        let name: String
        let isFile: Bool

        /// Reads the lines of a header; nil without a valid `Content-Disposition: form-data; name="…"`.
        init?(_ bytes: some Collection<UInt8>) {
            guard let text = String(bytes: bytes, encoding: .utf8) else { return nil }
            // Two lines that end in CRLF are one character each in a String, so the lines are split by scalars.
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
