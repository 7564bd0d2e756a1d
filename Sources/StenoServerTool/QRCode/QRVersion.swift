#if Server
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
        /// The bits of the length.
        var lengthBits: Int { number < 10 ? 8 : 16 }
        /// The most bytes: four bits say that they are bytes.
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
#endif
