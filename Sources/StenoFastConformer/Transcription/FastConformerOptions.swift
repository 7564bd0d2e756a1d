package import StenoCore

package struct FastConformerOptions: FamilyOptions {
    package static var family: String { FastConformerSpeechModel.family }

    /// The hypotheses of the search, from 1 to 64; 1 is greedy.
    ///
    /// Models that stream are always greedy.
    package var beamSize = 1

    package init(beamSize: Int = 1) { self.beamSize = beamSize }

    package var changes: [String] { beamSize == 1 ? [] : ["beamSize"] }
}

extension TranscriptionOptions {
    /// The options of FastConformer models; models of other families throw if any of them differs from its default.
    package var fastConformer: FastConformerOptions {
        get { family as? FastConformerOptions ?? FastConformerOptions() }
        set { family = newValue == FastConformerOptions() ? nil : newValue }
    }
}
