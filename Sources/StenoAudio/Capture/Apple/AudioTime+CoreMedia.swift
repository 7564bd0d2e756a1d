#if canImport(CoreMedia)
    package import CoreMedia

    extension AudioTime {
        /// The same time; nil when Core Media's is invalid, indefinite or infinite.
        package init?(_ time: CMTime) {
            guard time.isNumeric, time.timescale > 0 else { return nil }
            self.init(value: time.value, timescale: time.timescale)
        }
    }

    extension CMTime {
        package init(_ time: AudioTime) { self.init(value: time.value, timescale: time.timescale) }
    }
#endif
