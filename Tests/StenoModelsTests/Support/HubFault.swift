#if os(Linux) || os(macOS)
    /// A fault of a request.
    struct HubFault {
        enum Kind: Equatable {
            case cut
            case status(Int)
            case wrongLength
            case wrongContent
            case ignoresRange
            case slowDrip
        }

        var kind: Kind
        /// The part that a request's address must contain.
        var path: String
        /// The bytes of the body after which the connection is cut.
        var cutsAfter: Int?
        var headers: [String: String] = [:]
        /// Whether it occurs again and again.
        var isPermanent = false

        static func cut(_ path: String, after bytes: Int) -> HubFault {
            HubFault(kind: .cut, path: path, cutsAfter: bytes)
        }

        static func status(
            _ status: Int, _ path: String, headers: [String: String] = [:], isPermanent: Bool = false
        ) -> HubFault {
            HubFault(kind: .status(status), path: path, headers: headers, isPermanent: isPermanent)
        }

        static func of(_ kind: Kind, _ path: String, isPermanent: Bool = false, cutsAfter: Int? = nil) -> HubFault {
            HubFault(kind: kind, path: path, cutsAfter: cutsAfter, isPermanent: isPermanent)
        }

        var status: Int? {
            if case .status(let status) = kind { return status }
            return nil
        }

        func fits(_ request: HubServer.Request) -> Bool {
            if kind == .ignoresRange, request.rangeStart == nil { return false }
            return request.target.contains(path)
        }
    }
#endif
