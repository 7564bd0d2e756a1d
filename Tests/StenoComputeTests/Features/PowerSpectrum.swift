import Foundation

/// The power spectrum of a windowed frame, as the sum that defines the transform of that length.
func powerSpectrum(_ windowed: [Double], length: Int) -> [Double] {
    let turns = (0..<length).map { 2 * .pi * Double($0) / Double(length) }
    let cosines = turns.map { cos($0) }, sines = turns.map { sin($0) }
    return (0...length / 2).map { bin in
        var (re, im) = (0.0, 0.0)
        // Pointers and a counter: a loop over an array takes ten times as long where tests are not optimised.
        windowed.withUnsafeBufferPointer { windowed in
            cosines.withUnsafeBufferPointer { cosines in
                sines.withUnsafeBufferPointer { sines in
                    var (index, turn) = (0, 0)
                    while index < windowed.count {
                        re += windowed[index] * cosines[turn]
                        im += windowed[index] * sines[turn]
                        index += 1
                        turn += bin
                        if turn >= length { turn -= length }
                    }
                }
            }
        }
        return re * re + im * im
    }
}
