#if Server
    /// How hard a masked code is to read (ISO/IEC 18004, 7.8.3.1).
    enum QRPenalty {
        static func of(_ modules: [[Bool]]) -> Int {
            let columns = modules.indices.map { index in modules.map { $0[index] } }
            return (modules + columns).reduce(0) { $0 + runs($1) + finders($1) } + squares(modules) + balance(modules)
        }

        /// Five and more of a colour in a row.
        private static func runs(_ line: [Bool]) -> Int {
            var (penalty, length) = (0, 0)
            for (index, module) in line.enumerated() {
                length = index > 0 && line[index - 1] == module ? length + 1 : 1
                if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
            }
            return penalty
        }

        /// What looks like a finder pattern: dark 1, light 1, dark 3, light 1, dark 1, with four light modules before or
        /// after it.
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

        /// Each five percent that the share of dark modules is away from a half.
        private static func balance(_ modules: [[Bool]]) -> Int {
            let total = modules.count * modules.count
            let dark = modules.joined().filter { $0 }.count
            return abs(dark * 20 - total * 10) / total * 10
        }
    }
#endif
