#if Server
    import HTTPTypes

    /// Names of header fields that HTTPTypes lacks; all of them are valid.
    extension HTTPField.Name {
        /// The policy of another document that the page opens, or that opens it.
        static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")
        /// `Host` among the fields, where HTTPTypes has the authority of the request.
        static let hostField = Self("Host")
        /// What clients of OpenAI's beta protocol say that they speak.
        static let openAIBeta = Self("OpenAI-Beta")
        /// The device features that a page may use.
        static let permissionsPolicy = Self("Permissions-Policy")
        /// The referrer information that a page sends.
        static let referrerPolicy = Self("Referrer-Policy")
        /// What finds a request in the log.
        static let requestID = Self("X-Request-ID")
        /// Where the page is from for which a browser asks.
        static let secFetchSite = Self("Sec-Fetch-Site")
    }
#endif
