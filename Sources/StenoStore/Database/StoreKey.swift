#if Store
    public import Foundation
    import Steno

    #if canImport(Security)
        import Security
    #endif

    /// The key of a history, which is encrypted from the start or not at all.
    public struct StoreKey: Sendable {
        enum Kind: Sendable {
            case none
            case bytes([UInt8])
            case passphrase(String)
        }

        let kind: Kind

        /// No key: texts and recordings are stored unencrypted.
        public static let none = StoreKey(kind: .none)

        /// A passphrase, from which the key is derived with scrypt (RFC 7914; 32 MB of memory, a few tenths of a
        /// second).
        public static func passphrase(_ text: String) -> StoreKey { StoreKey(kind: .passphrase(text)) }

        /// A key of 32 random bytes that you store yourself.
        ///
        /// - Throws: `StenoError.invalidOption` for any other length.
        public static func bytes(_ bytes: [UInt8]) throws -> StoreKey {
            guard bytes.count == 32 else {
                throw StenoError(
                    .invalidOption, "The key of a history must have 32 bytes, but this one has \(bytes.count).")
            }
            return StoreKey(kind: .bytes(bytes))
        }

        /// The key in a file of 32 bytes that only its owner can read (mode 600).
        ///
        /// - Parameter creating: Whether to create the file, with a random key, if it does not exist.
        /// - Throws: `StenoError`: `invalidOption` if other users can read the file or its length is wrong,
        ///   `outputFailed` if it cannot be created or read.
        public static func file(_ url: URL, creating: Bool = true) throws -> StoreKey {
            try .bytes(KeyFile.contents(of: url, creating: creating))
        }

        /// A random key.
        public static func random() -> StoreKey { StoreKey(kind: .bytes(RandomBytes.make(32))) }

        /// The bytes of the key, for storage; nil for a passphrase and for ``none``.
        public var bytes: [UInt8]? { if case .bytes(let bytes) = kind { bytes } else { nil } }
    }

    /// A file with a key: 32 bytes that only its owner can read.
    enum KeyFile {
        static func contents(of url: URL, creating: Bool) throws -> [UInt8] {
            // Refuses a named pipe instead of waiting for it.
            guard let file = OwnedDescriptor.open(url.path, O_RDONLY | O_NONBLOCK) else {
                let error = SystemCallError(call: "open")
                guard creating, error.number == ENOENT else { throw failure(url, "cannot be read: \(error)") }
                return try make(url)
            }
            defer { file.close() }
            try check(file.rawValue, url)
            var bytes = [UInt8](repeating: 0, count: 33)
            let count = retrying { read(file.rawValue, &bytes, bytes.count) }
            guard count == 32 else {
                throw StenoError(
                    .invalidOption,
                    "The key file \(url.path) does not contain a 32-byte key. Name another file; for a new history, "
                        + "one that does not exist is created.")
            }
            return Array(bytes.prefix(32))
        }

        private static func check(_ descriptor: Int32, _ url: URL) throws {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw failure(url, "is not a file")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw StenoError(
                    .invalidOption, "The key file \(url.path) can be read by other users. Run: chmod 600 '\(url.path)'")
            }
        }

        /// Writes the key under another name first, so that no program reads half of it.
        private static func make(_ url: URL) throws -> [UInt8] {
            let bytes = RandomBytes.make(32)
            let temporary = url.path + ".\(UUID().uuidString)"
            guard let file = OwnedDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else {
                throw failure(url, "cannot be created: \(SystemCallError(call: "open"))")
            }
            defer { unlink(temporary) }
            defer { file.close() }
            let number = file.rawValue
            // Losing the key in a power failure would mean losing the history.
            guard retrying({ write(number, bytes, bytes.count) }) == bytes.count, fsync(number) == 0 else {
                throw failure(url, "cannot be written: \(SystemCallError(call: "write"))")
            }
            // Unlike a rename, a link does not replace a key that another program has created in the meantime.
            let failed = link(temporary, url.path) == 0 ? nil : SystemCallError(call: "link")
            // The name must survive a power failure too, even if another program has just created the key.
            try? url.deletingLastPathComponent().synchronize()
            guard let failed else { return bytes }
            guard failed.number == EEXIST else { throw failure(url, "cannot be created: \(failed)") }
            return try contents(of: url, creating: false)
        }

        private static func failure(_ url: URL, _ reason: String) -> StenoError {
            StenoError(.outputFailed, "The key file \(url.path) \(reason).")
        }
    }

    #if canImport(Security)
        extension StoreKey {
            /// The key of a history in the user's keychain, created if there is none.
            ///
            /// The item is a generic password that is not synchronised. On iOS it is readable after the first unlock and
            /// cannot be restored to another device: without this device's keychain the history cannot be opened.
            ///
            /// - Parameter service: The keychain item's service name.
            /// - Throws: `StenoError.outputFailed` if the keychain refuses.
            public static func keychain(service: String = "Steno history") throws -> StoreKey {
                if let bytes = try read(service) { return try .bytes(bytes) }
                let key = StoreKey.random()
                var item = query(service)
                item[kSecValueData] = Data(key.bytes ?? [])
                item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                let status = SecItemAdd(item as CFDictionary, nil)
                if status == errSecDuplicateItem, let bytes = try read(service) { return try .bytes(bytes) }
                guard status == errSecSuccess else { throw failure(status) }
                return key
            }

            private static func query(_ service: String) -> [CFString: Any] {
                [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "key"]
            }

            private static func read(_ service: String) throws -> [UInt8]? {
                var item = query(service)
                item[kSecReturnData] = true
                var found: CFTypeRef?
                let status = SecItemCopyMatching(item as CFDictionary, &found)
                if status == errSecItemNotFound { return nil }
                guard status == errSecSuccess, let data = found as? Data else { throw failure(status) }
                return Array(data)
            }

            private static func failure(_ status: OSStatus) -> StenoError {
                let reason = SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
                return StenoError(.outputFailed, "The keychain did not return the history's key: \(reason)")
            }
        }
    #endif
#endif
