// whisper.cpp on a whole recording with a fixed number of tokens per window, which its command has no option for.
// peer_worker.py compiles it against the headers of whisper.cpp and calls it.
#include <math.h>

#include "whisper.h"

static void never_end(
    struct whisper_context *context, struct whisper_state *state, const whisper_token_data *tokens, int count,
    float *logits, void *unused) {
    (void)state, (void)tokens, (void)count, (void)unused;
    logits[whisper_token_eot(context)] = -INFINITY;
}

// Returns the number of tokens that were written, or -1.
int steno_fixed(
    struct whisper_context *context, const float *samples, int count, int threads, int beams, int tokens) {
    struct whisper_full_params p =
        whisper_full_default_params(beams > 1 ? WHISPER_SAMPLING_BEAM_SEARCH : WHISPER_SAMPLING_GREEDY);
    p.n_threads = threads;
    p.beam_search.beam_size = beams;
    p.language = "en";
    p.no_context = p.no_timestamps = true;
    p.print_progress = p.print_realtime = false;
    // whisper.cpp generates one token more than this limit.
    p.max_tokens = tokens - 1;
    p.temperature = p.temperature_inc = 0;
    p.logits_filter_callback = never_end;
    if (whisper_full(context, p, samples, count) != 0) return -1;
    int written = 0;
    for (int i = 0; i < whisper_full_n_segments(context); i++) written += whisper_full_n_tokens(context, i);
    return written;
}
