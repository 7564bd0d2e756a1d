#if Server
    import Foundation
    package import NIOCore

    /// Splits a `multipart/form-data` body into its parts as it arrives (RFC 7578, RFC 2046).
    ///
    /// It holds no more than a piece of the body and the header of a part. Whatever the bytes are, every call of
    /// ``next()`` consumes some, asks for more or throws.
    package struct MultipartParser {
        package enum Event: Sendable, Hashable {
            case part(name: String, isFile: Bool)
            case data(ByteBuffer)
            case partEnd
        }

        private enum State { case preamble, afterDelimiter, header, body, epilogue }

        /// The maximum size of a part's header, in bytes.
        private static let headerLimit = 8 << 10
        private static let partLimit = 1000

        /// CRLF, two hyphens and the boundary.
        private let delimiter: [UInt8]
        private var state = State.preamble
        private var pending = ByteBuffer()
        private var parts = 0

        /// - Parameter boundary: Without hyphens before it.
        package init(boundary: String) {
            delimiter = Array("\r\n--\(boundary)".utf8)
            // The first delimiter may be at the very start, where no line ends before it.
            pending.writeString("\r\n")
        }

        package mutating func append(_ bytes: ByteBuffer) {
            guard state != .epilogue else { return }
            pending.discardReadBytes()
            pending.writeImmutableBuffer(bytes)
        }

        /// The next event; nil when more bytes are needed, or after the end.
        ///
        /// - Throws: `ServerError` when the body violates the format.
        package mutating func next() throws(ServerError) -> Event? {
            while true {
                switch state {
                case .preamble:
                    guard let distance = pending.distance(to: delimiter) else {
                        _ = pending.readSlice(length: safeLength)
                        return nil
                    }
                    pending.moveReaderIndex(forwardBy: distance + delimiter.count)
                    state = .afterDelimiter
                case .afterDelimiter:
                    guard try readDelimiterEnd() else { return nil }
                case .header:
                    guard let header = try readHeader() else { return nil }
                    state = .body
                    return header
                case .body: return try readBody()
                case .epilogue:
                    pending.clear()
                    return nil
                }
            }
        }

        /// Whether the last delimiter was read; if not, the body was cut off.
        package var isComplete: Bool { state == .epilogue }

        // MARK: Steps

        /// How many bytes cannot be the start of a delimiter.
        private var safeLength: Int { max(0, pending.readableBytes - delimiter.count + 1) }

        /// Reads what follows a boundary: two hyphens at the end of the body, or a line end after optional blanks.
        private mutating func readDelimiterEnd() throws(ServerError) -> Bool {
            guard pending.readableBytes >= 2 else { return false }
            let start = pending.readerIndex
            if pending.getBytes(at: start, length: 2) == [0x2D, 0x2D] {
                state = .epilogue
                return true
            }
            while let byte = pending.getInteger(at: pending.readerIndex, as: UInt8.self), byte == 0x20 || byte == 0x09 {
                pending.moveReaderIndex(forwardBy: 1)
            }
            guard pending.readableBytes >= 2 else { return false }
            guard pending.readBytes(length: 2) == [0x0D, 0x0A] else {
                throw Self.malformed("a boundary is not followed by a line end")
            }
            parts += 1
            guard parts <= Self.partLimit else { throw Self.malformed("it has more than \(Self.partLimit) parts") }
            // Keeps the line end, so that an empty header, too, ends with two of them.
            pending.moveReaderIndex(to: pending.readerIndex - 2)
            state = .header
            return true
        }

        private mutating func readHeader() throws(ServerError) -> Event? {
            guard let length = pending.distance(to: [0x0D, 0x0A, 0x0D, 0x0A]) else {
                guard pending.readableBytes <= Self.headerLimit else {
                    throw Self.malformed("the header of a part is longer than \(Self.headerLimit) bytes")
                }
                return nil
            }
            guard length <= Self.headerLimit, let bytes = pending.readBytes(length: length + 4) else {
                throw Self.malformed("the header of a part is longer than \(Self.headerLimit) bytes")
            }
            guard let header = PartHeader(bytes.dropLast(4)) else {
                throw Self.malformed("a part has no valid header Content-Disposition with a name")
            }
            return .part(name: header.name, isFile: header.isFile)
        }

        private mutating func readBody() throws(ServerError) -> Event? {
            let distance = pending.distance(to: delimiter)
            if distance == 0 {
                pending.moveReaderIndex(forwardBy: delimiter.count)
                state = .afterDelimiter
                return .partEnd
            }
            let length = distance ?? safeLength
            return length > 0 ? pending.readSlice(length: length).map(Event.data) : nil
        }

        private static func malformed(_ what: String) -> ServerError {
            .invalid("The body is not valid multipart/form-data: \(what).", code: "invalid_multipart")
        }
    }

    extension ByteBuffer {
        /// The number of bytes before the first occurrence of others; nil if there is none.
        fileprivate func distance(to bytes: [UInt8]) -> Int? {
            withUnsafeReadableBytes { own in
                bytes.withUnsafeBytes { wanted in
                    guard let start = own.baseAddress, let needle = wanted.baseAddress, let first = wanted.first else {
                        return nil
                    }
                    var place = 0
                    while place + wanted.count <= own.count {
                        let rest = own.count - wanted.count + 1 - place
                        guard let found = memchr(start + place, Int32(first), rest) else { return nil }
                        place = UnsafeRawPointer(found) - start
                        if memcmp(start + place, needle, wanted.count) == 0 { return place }
                        place += 1
                    }
                    return nil
                }
            }
        }
    }
#endif
