extension [Unicode.Scalar] {
    /// Lower case as Unicode's SpecialCasing has it without a locale, which is Python's `str.lower`.
    ///
    /// `String.lowercased()` does not know that a Greek word ends in `ς`.
    func lowercased() -> CodePoints {
        var result = CodePoints()
        result.reserveCapacity(count)
        for (index, scalar) in enumerated() {
            if scalar.isASCII {
                result.append(
                    (0x41...0x5A).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar)
            } else if scalar == "Σ" {
                result.append(isFinalSigma(index) ? "ς" : "σ")
            } else {
                result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return result
    }

    /// Unicode's condition Final_Sigma: a cased letter before and none after, whatever case-ignorable signs stand
    /// between.
    private func isFinalSigma(_ index: Int) -> Bool {
        let before = self[..<index].last { !$0.properties.isCaseIgnorable }
        let after = self[(index + 1)...].first { !$0.properties.isCaseIgnorable }
        return before?.properties.isCased == true && after?.properties.isCased != true
    }
}
