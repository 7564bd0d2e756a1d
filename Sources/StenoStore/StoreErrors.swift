#if Store
    public import StenoCore

    extension StenoError.Code {
        /// The key is wrong, or an encrypted history was opened without one.
        public static let wrongKey = StenoError.Code("wrongKey")
        /// The database, a text or a recording is damaged.
        public static let historyDamaged = StenoError.Code("historyDamaged")
        /// The history was written by a newer version of Steno.
        public static let historyUnsupported = StenoError.Code("historyUnsupported")
        /// The history has no such session.
        public static let sessionNotFound = StenoError.Code("sessionNotFound")
        /// Another program is recording the session.
        public static let sessionInUse = StenoError.Code("sessionInUse")
    }
#endif
