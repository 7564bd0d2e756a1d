#if Server
    import Testing

    @testable import StenoServer

    @Suite("Prometheus' text format")
    struct ServerMetricsTests {
        @Test("Counters, gauges and histograms follow the format")
        func text() {
            let metrics = ServerMetrics()
            let counter = MetricFamily("b_total", "Counts.", .counter)
            metrics.add(counter, 2, labels: ["kind": "a \"quoted\" \\ one\n"])
            metrics.add(counter, 0.5, labels: ["kind": "a \"quoted\" \\ one\n"])
            let histogram = MetricFamily("a_seconds", "Takes.", .histogram, bounds: [0.1, 1])
            for value in [0.05, 0.5, 2] { metrics.observe(histogram, value, labels: ["route": "/"]) }
            let gauge = MetricFamily("c", "Is.", .gauge)
            #expect(
                metrics.text(adding: [MetricReading(gauge, 7)]) == """
                    # HELP a_seconds Takes.
                    # TYPE a_seconds histogram
                    a_seconds_bucket{route="/",le="0.1"} 1
                    a_seconds_bucket{route="/",le="1"} 2
                    a_seconds_bucket{route="/",le="+Inf"} 3
                    a_seconds_sum{route="/"} 2.55
                    a_seconds_count{route="/"} 3
                    # HELP b_total Counts.
                    # TYPE b_total counter
                    b_total{kind="a \\"quoted\\" \\\\ one\\n"} 2.5
                    # HELP c Is.
                    # TYPE c gauge
                    c 7

                    """)
        }
    }
#endif
