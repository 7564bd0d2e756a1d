#if Server
    /// A QR code of bytes (ISO/IEC 18004, versions 1 to 10, error correction level M).
    struct QRCode: Equatable {
        /// The dark modules, row by row.
        let modules: [[Bool]]

        /// Encodes a text as UTF-8; nil if it has more than 213 bytes.
        ///
        /// - Parameter mask: The mask, 0 to 7; nil for the one with the lowest penalty.
        init?(_ text: String, mask: Int? = nil) {
            let bytes = Array(text.utf8)
            guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
            var grid = QRGrid(version)
            grid.place(QRData(bytes, version).codewords)
            let candidates = (mask.map { [$0] } ?? Array(0..<8)).map { grid.masked($0) }
            guard let best = candidates.min(by: { QRPenalty.of($0) < QRPenalty.of($1) }) else { return nil }
            modules = best
        }

        /// The code for a terminal: two rows of modules per line, dark on light whatever the terminal's colours are,
        /// with the quiet zone of four modules that readers need.
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

    /// The size of a QR code and how its codewords are divided at level M (ISO/IEC 18004, tables 1, 7, 9 and E.1).
    struct QRVersion {
        let number: Int
        /// The error correction codewords of each block.
        let correction: Int
        /// The data codewords of each block.
        let blocks: [Int]
        /// The rows and columns of the centres of alignment patterns.
        let alignment: [Int]

        var size: Int { 17 + 4 * number }
        var dataCount: Int { blocks.reduce(0, +) }
        var lengthBits: Int { number < 10 ? 8 : 16 }
        /// The maximum number of bytes; four bits are for the mode.
        var capacity: Int { (dataCount * 8 - 4 - lengthBits) / 8 }

        /// The smallest version with room for this many bytes.
        static func smallest(for count: Int) -> QRVersion? { all.first { $0.capacity >= count } }

        static let all: [QRVersion] = [
            QRVersion(number: 1, correction: 10, blocks: [16], alignment: []),
            QRVersion(number: 2, correction: 16, blocks: [28], alignment: [6, 18]),
            QRVersion(number: 3, correction: 26, blocks: [44], alignment: [6, 22]),
            QRVersion(number: 4, correction: 18, blocks: [32, 32], alignment: [6, 26]),
            QRVersion(number: 5, correction: 24, blocks: [43, 43], alignment: [6, 30]),
            QRVersion(number: 6, correction: 16, blocks: [27, 27, 27, 27], alignment: [6, 34]),
            QRVersion(number: 7, correction: 18, blocks: [31, 31, 31, 31], alignment: [6, 22, 38]),
            QRVersion(number: 8, correction: 22, blocks: [38, 38, 39, 39], alignment: [6, 24, 42]),
            QRVersion(number: 9, correction: 22, blocks: [36, 36, 36, 37, 37], alignment: [6, 26, 46]),
            QRVersion(number: 10, correction: 26, blocks: [43, 43, 43, 43, 44], alignment: [6, 28, 50]),
        ]
    }

    /// How hard a masked code is to read (ISO/IEC 18004, 7.8.3.1).
    enum QRPenalty {
        static func of(_ modules: [[Bool]]) -> Int {
            let columns = modules.indices.map { index in modules.map { $0[index] } }
            return (modules + columns).reduce(0) { $0 + runs($1) + finders($1) } + squares(modules) + balance(modules)
        }

        /// Five or more modules of one colour in a row.
        private static func runs(_ line: [Bool]) -> Int {
            var (penalty, length) = (0, 0)
            for (index, module) in line.enumerated() {
                length = index > 0 && line[index - 1] == module ? length + 1 : 1
                if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
            }
            return penalty
        }

        /// Modules that look like a finder pattern: dark 1, light 1, dark 3, light 1, dark 1, with four light modules
        /// before or after it.
        private static func finders(_ line: [Bool]) -> Int {
            let core = [true, false, true, true, true, false, true]
            let light = [Bool](repeating: false, count: 4)
            var penalty = 0
            guard line.count >= 11 else { return 0 }
            for start in 0...line.count - 11 {
                let part = Array(line[start..<start + 11])
                if part == core + light || part == light + core { penalty += 40 }
            }
            return penalty
        }

        private static func squares(_ modules: [[Bool]]) -> Int {
            var penalty = 0
            for row in 1..<modules.count {
                for column in 1..<modules.count {
                    let module = modules[row][column]
                    if module == modules[row - 1][column], module == modules[row][column - 1],
                        module == modules[row - 1][column - 1]
                    {
                        penalty += 3
                    }
                }
            }
            return penalty
        }

        /// Every five percent by which the share of dark modules differs from half.
        private static func balance(_ modules: [[Bool]]) -> Int {
            let total = modules.count * modules.count
            let dark = modules.joined().filter { $0 }.count
            return abs(dark * 20 - total * 10) / total * 10
        }
    }
#endif
