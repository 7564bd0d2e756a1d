#if Server
    /// The modules of a QR code before and after masking.
    struct QRGrid {
        private let version: QRVersion
        private let size: Int
        private var modules: [[Bool]]
        /// The modules that are patterns or information, which no mask changes.
        private var isFixed: [[Bool]]

        init(_ version: QRVersion) {
            self.version = version
            size = version.size
            modules = Array(repeating: Array(repeating: false, count: size), count: size)
            isFixed = modules
            addPatterns()
        }

        // MARK: Patterns

        private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
            guard (0..<size).contains(row), (0..<size).contains(column) else { return }
            modules[row][column] = isDark
            isFixed[row][column] = true
        }

        private mutating func addPatterns() {
            for index in 0..<size {
                set(6, index, index.isMultiple(of: 2))
                set(index, 6, index.isMultiple(of: 2))
            }
            for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { addFinder(row, column) }
            addAlignment()
            // The format is reserved now, and written with the mask.
            addFormat(0)
            addVersion()
        }

        private mutating func addFinder(_ row: Int, _ column: Int) {
            for y in -4...4 {
                for x in -4...4 {
                    let distance = max(abs(x), abs(y))
                    set(row + y, column + x, distance != 2 && distance != 4)
                }
            }
        }

        private mutating func addAlignment() {
            let places = version.alignment
            guard let last = places.last else { return }
            for row in places {
                for column in places where ![[6, 6], [6, last], [last, 6]].contains([row, column]) {
                    for y in -2...2 {
                        for x in -2...2 { set(row + y, column + x, max(abs(x), abs(y)) != 1) }
                    }
                }
            }
        }

        /// Adds the level (M is 00) and the mask with their error correction, twice.
        private mutating func addFormat(_ mask: Int) {
            let bits = (mask << 10 | Self.remainder(mask << 10, by: 0x537)) ^ 0x5412
            func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
            for index in 0..<6 { set(index, 8, bit(index)) }
            set(7, 8, bit(6))
            set(8, 8, bit(7))
            set(8, 7, bit(8))
            for index in 9..<15 { set(8, 14 - index, bit(index)) }
            for index in 0..<8 { set(8, size - 1 - index, bit(index)) }
            for index in 8..<15 { set(size - 15 + index, 8, bit(index)) }
            set(size - 8, 8, true)
        }

        /// Adds the version, from 7 on, twice.
        private mutating func addVersion() {
            guard version.number >= 7 else { return }
            let bits = version.number << 12 | Self.remainder(version.number << 12, by: 0x1F25)
            for index in 0..<18 {
                let isDark = bits >> index & 1 == 1
                set(size - 11 + index % 3, index / 3, isDark)
                set(index / 3, size - 11 + index % 3, isDark)
            }
        }

        /// The remainder of a division of polynomials over GF(2).
        private static func remainder(_ value: Int, by divisor: Int) -> Int {
            func length(_ value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }
            var rest = value
            while length(rest) >= length(divisor) { rest ^= divisor << (length(rest) - length(divisor)) }
            return rest
        }

        // MARK: Data

        /// Places the codewords upwards and downwards, two columns at a time, from the right.
        mutating func place(_ codewords: [UInt8]) {
            var index = 0
            for right in stride(from: size - 1, to: 0, by: -2) {
                // Skips the column of the timing pattern.
                let right = right <= 6 ? right - 1 : right
                let isUpward = (right + 1) & 2 == 0
                for step in 0..<size {
                    let row = isUpward ? size - 1 - step : step
                    for column in [right, right - 1] where !isFixed[row][column] {
                        if index < codewords.count * 8 {
                            modules[row][column] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
                        }
                        index += 1
                    }
                }
            }
        }

        func masked(_ mask: Int) -> [[Bool]] {
            var grid = self
            for row in 0..<size {
                for column in 0..<size where !isFixed[row][column] && Self.inverts(mask, row, column) {
                    grid.modules[row][column].toggle()
                }
            }
            grid.addFormat(mask)
            return grid.modules
        }

        private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
            switch mask {
            case 0: (row + column) % 2 == 0
            case 1: row % 2 == 0
            case 2: column % 3 == 0
            case 3: (row + column) % 3 == 0
            case 4: (row / 2 + column / 3) % 2 == 0
            case 5: row * column % 2 + row * column % 3 == 0
            case 6: (row * column % 2 + row * column % 3) % 2 == 0
            default: ((row + column) % 2 + row * column % 3) % 2 == 0
            }
        }
    }
#endif
