/// A shell command that outlasts every time limit: a test of ending it cannot pass because it ended by itself.
package let endlessProgram = "exec sleep 1000000"
