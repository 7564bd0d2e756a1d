#if Server
    import Foundation
    import Testing

    @testable import StenoServer

    @Suite struct EphemeralTokensTests {
        private let tokens = EphemeralTokens()
        private let now = Date(timeIntervalSince1970: 1_000_000)

        @Test func aSecretOpensSessionsWithItsConfigurationUntilItExpires() throws {
            let body =
                #"{"expires_after": {"seconds": 30}, "session": {"audio": {"input": {"transcription": {"language": "fr"}}}}}"#
            let answer = try tokens.clientSecret(Array(body.utf8), now: now)
            let token = try #require(answer["value"]?.string)
            #expect(token.hasPrefix("ek_") && token.count == 35)
            #expect(answer["expires_at"] == 1_000_030 && answer["session"]?["type"] == "transcription")
            #expect(tokens.configuration(token, now: now)?.language == "fr")
            #expect(tokens.configuration(token, now: now.addingTimeInterval(29)) != nil)
            #expect(tokens.configuration(token, now: now.addingTimeInterval(30)) == nil)
            #expect(tokens.configuration("ek_unknown", now: now) == nil)
        }

        @Test func theBetaEndpointUsesItsOwnFormat() throws {
            let answer = try tokens.transcriptionSession(Array(#"{"input_audio_format": "g711_ulaw"}"#.utf8), now: now)
            #expect(answer["object"] == "realtime.transcription_session" && answer["input_audio_format"] == "g711_ulaw")
            let secret = try #require(answer["client_secret"])
            #expect(secret["expires_at"] == 1_000_060)
            #expect(tokens.configuration(secret["value"]?.string ?? "", now: now)?.format == .g711(.muLaw))
        }

        /// Tokens are kept for hours, with everything that the client put into them.
        @Test func noiseReductionHasTwoKindsOrNone() throws {
            func session(_ noise: String) throws -> JSONValue {
                try tokens.transcriptionSession(Array(#"{"input_audio_noise_reduction": \#(noise)}"#.utf8), now: now)
            }
            for kind in ["near_field", "far_field"] {
                let answer = try session(#"{"type": "\#(kind)", "more": [1, 2, 3]}"#)
                #expect(answer["input_audio_noise_reduction"] == ["type": .string(kind)])
            }
            #expect(try session("null")["input_audio_noise_reduction"] == JSONValue.null)
            let error = #expect(throws: ServerError.self) { try session(#"{"type": "loud"}"#) }
            #expect(error?.parameter == "session.input_audio_noise_reduction.type" && error?.code == "invalid_value")
        }

        @Test func tokensAreUnique() throws {
            let all = try (0..<200).map { _ in try tokens.clientSecret([], now: now)["value"]?.string }
            #expect(Set(all).count == 200)
        }

        /// Bodies that are refused, with the wrong field if it is the validity.
        private static let wrongBodies: [(body: String, parameter: String?)] =
            ["[]", "{", #"{"session": 5}"#, #"{"session": {"audio": {"input": {"noise_reduction": [1, 2, 3]}}}}"#]
            .map { ($0, nil) } + [(#"{"expires_after": 30}"#, "expires_after")]
            + ["5", #""30""#, "30.5", "[30]", "true", "9", "7201", "1e300"].map {
                (#"{"expires_after": {"seconds": \#($0)}}"#, "expires_after.seconds")
            }

        @Test(arguments: wrongBodies) func aWrongBodyIsAnError(_ body: String, parameter: String?) {
            let error = #expect(throws: ServerError.self) { try tokens.clientSecret(Array(body.utf8), now: now) }
            guard let parameter else { return }
            #expect(error?.status == 400 && error?.parameter == parameter && error?.code == "invalid_value")
        }

        @Test(arguments: ["{}", #"{"expires_after": null}"#, #"{"expires_after": {"seconds": null}}"#])
        func withoutAValidityASecretLastsTenMinutes(_ body: String) throws {
            #expect(try tokens.clientSecret(Array(body.utf8), now: now)["expires_at"] == 1_000_600)
        }

        @Test func theNumberOfTokensIsLimitedUntilSomeExpire() throws {
            for _ in 0..<EphemeralTokens.limit { _ = try tokens.transcriptionSession([], now: now) }
            #expect(throws: ServerError.self) { try tokens.clientSecret([], now: now) }
            _ = try tokens.clientSecret([], now: now.addingTimeInterval(61))
        }
    }

    /// Against values that follow from the tables of ITU-T G.711.
    @Suite struct G711Tests {
        @Test(arguments: [
            (
                G711.muLaw,
                [
                    0x00: -32124, 0x01: -31100, 0x0F: -16764, 0x10: -15996, 0x7E: -8, 0x7F: 0, 0x80: 32124, 0x8F: 16764,
                    0x90: 15996, 0xEF: 132, 0xF0: 120, 0xFE: 8, 0xFF: 0,
                ]
            ),
            (
                .aLaw,
                [
                    0x00: -5504, 0x2A: -32256, 0x55: -8, 0x54: -24, 0xD5: 8, 0xD4: 24, 0xAA: 32256, 0xC5: 264,
                    0x80: 5504, 0xF5: 528,
                ]
            ),
        ])
        func codesHaveTheValuesOfTheStandard(_ law: G711, _ values: [UInt8: Int]) {
            for (code, value) in values { #expect(Int(law.decode(code)) == value, "\(code)") }
        }

        @Test(arguments: [G711.muLaw, .aLaw])
        func positiveAndNegativeValuesAreSymmetricAndRiseWithTheCode(_ law: G711) {
            for byte in UInt8(0)...127 { #expect(law.decode(byte) == -law.decode(byte | 128)) }
            let values = (0...127).map { byte in
                law == .muLaw ? law.decode(255 - UInt8(byte)) : law.decode((UInt8(byte) | 128) ^ 0x55)
            }
            #expect(values == values.sorted() && Set(values).count == 128)
        }

        @Test func bytesBecomeSamples() {
            #expect(RealtimeAudioFormat.g711(.muLaw).samples([0x00, 0xFF, 0x80]) == [-32124, 0, 32124])
            #expect(
                RealtimeAudioFormat.pcm(rate: 24_000).samples([0x01, 0x00, 0xFF, 0xFF, 0x00, 0x80, 7]) == [
                    1, -1, -32768,
                ])
        }
    }
#endif
