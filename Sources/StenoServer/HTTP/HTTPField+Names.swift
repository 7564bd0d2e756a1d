#if Server
    import HTTPTypes

    /// Names of header fields that HTTPTypes lacks; all are valid, so none is nil.
    extension HTTPField.Name {
        /// Whether a page shares its browsing context with pages that it opens or that open it.
        static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")
        /// `Host` as a field, which HTTPTypes keeps as the request's authority.
        static let hostField = Self("Host")
        /// How clients announce that they speak OpenAI's beta protocol.
        static let openAIBeta = Self("OpenAI-Beta")
        /// The device features that a page may use.
        static let permissionsPolicy = Self("Permissions-Policy")
        /// The referrer information that a page sends.
        static let referrerPolicy = Self("Referrer-Policy")
        /// Identifies a request in the log.
        static let requestID = Self("X-Request-ID")
        /// Whether a browser's request comes from a page of the same site.
        static let secFetchSite = Self("Sec-Fetch-Site")
    }
#endif
