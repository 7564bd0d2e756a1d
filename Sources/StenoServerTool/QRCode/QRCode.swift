#if Server
    /// A QR code of bytes (ISO/IEC 18004, versions 1 to 10, error correction level M).
    struct QRCode: Equatable {
        /// The dark modules, row by row.
        let modules: [[Bool]]

        /// Encodes a text as UTF-8; nil when it has more than 213 bytes.
        ///
        /// - Parameter mask: The mask, 0 to 7; nil is the one with the lowest penalty.
        init?(_ text: String, mask: Int? = nil) {
            let bytes = Array(text.utf8)
            guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
            var grid = QRGrid(version)
            grid.place(QRData(bytes, version).codewords)
            let candidates = (mask.map { [$0] } ?? Array(0..<8)).map { grid.masked($0) }
            guard let best = candidates.min(by: { QRPenalty.of($0) < QRPenalty.of($1) }) else { return nil }
            modules = best
        }

        /// The code for a terminal: two rows of modules a line, dark on light whatever the terminal's colours are, with
        /// the quiet zone of four modules that readers need.
        var terminalText: String {
            let width = modules.count + 8
            func isDark(_ row: Int, _ column: Int) -> Bool {
                guard modules.indices.contains(row - 4), modules.indices.contains(column - 4) else { return false }
                return modules[row - 4][column - 4]
            }
            return stride(from: 0, to: width, by: 2).map { row in
                let line = (0..<width).map { column in
                    switch (isDark(row, column), isDark(row + 1, column)) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                }
                return "\u{1B}[38;5;16;48;5;231m" + line.joined() + "\u{1B}[0m\n"
            }.joined()
        }
    }
#endif
