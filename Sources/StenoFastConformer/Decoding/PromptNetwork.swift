import StenoCompute
import StenoCore

/// Adds the language to the encoder's frames: W₂ · ReLU(W₁ · (frame, prompt)), where a prompt is one of many switches.
struct PromptNetwork: Sendable {
    /// The part of W₁ for the frame, without a bias.
    let frame: Linear
    /// The part of W₁ for each prompt, with the bias: [prompts, hidden width].
    private let prompts: FloatBuffer
    let output: Linear

    init(
        _ loader: WeightLoader, _ configuration: FastConformerConfiguration,
        _ prompts: FastConformerConfiguration.Prompts
    ) throws {
        let width = configuration.width, hidden = prompts.hiddenWidth, count = prompts.count
        let bias = try loader.valuesOrZeros("prompt_projector.linear_1.bias", shape: [hidden])
        let columns = try ScratchBuffer(count: count * hidden)
        var row = 0
        frame = Linear(
            matrix: try loader.matrix(
                ["prompt_projector.linear_1.weight"], shape: [hidden, width + count], inputs: width
            ) { from, to in
                to.update(from: from, count: width)
                for prompt in 0..<count {
                    columns.pointer[prompt * hidden + row] = from[width + prompt] + bias.pointer[row]
                }
                row += 1
            })
        self.prompts = try FloatBuffer(UnsafeBufferPointer(start: columns.pointer, count: count * hidden))
        output = try loader.affine("prompt_projector.linear_2", shape: [width, hidden])
    }

    private var hidden: Int { frame.matrix.outputs }

    func inner(prompt: Int) throws -> Linear {
        let values = UnsafeBufferPointer(start: prompts.pointer + prompt * hidden, count: hidden)
        return Linear(matrix: frame.matrix, bias: try FloatBuffer(values))
    }
}
