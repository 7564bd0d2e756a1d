#if Store && canImport(Security)
    import Foundation
    import Security
    import Steno

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
