/*
 * Transcribes a recording, then the same samples as live audio, and prints both.
 *
 *     cc -std=c11 transcribe.c -I include -L lib -lsteno -Wl,-rpath,lib -o transcribe
 *     ./transcribe talk.wav
 */
#include <stdio.h>
#include <string.h>

#include "steno.h"

/* Says what went wrong; the program ends with 1. */
static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, steno_last_error());
    return 1;
}

static bool show(const steno_event *event, void *context) {
    size_t *words = context;
    if (event->kind == STENO_EVENT_LANGUAGE) printf("language %s\n", event->language);
    if (event->kind == STENO_EVENT_SEGMENT) {
        printf("%6.2f %6.2f %s\n", event->segment->start, event->segment->end, event->segment->text);
        *words += event->segment->word_count;
    }
    return true; /* false would cancel the job */
}

static int transcribe(const steno_model *model, const char *path) {
    steno_job *job;
    size_t words = 0;
    char *subtitles;
    if (steno_transcribe_file(model, path, "{\"wordTimestamps\": true}", &job) != STENO_OK) return failed("transcribe");
    int result = 0;
    if (steno_job_run(job, show, &words) != STENO_OK) {
        result = failed("transcribe");
    } else if (steno_job_text(job, "srt", &subtitles) != STENO_OK) {
        result = failed("subtitles");
    } else {
        printf("%zu words\n%s", words, subtitles);
        steno_free(subtitles);
    }
    steno_job_free(job);
    return result;
}

static int listen(const steno_model *model, const float *samples, size_t count) {
    steno_live *live;
    const char *line;
    steno_status status;
    if (steno_live_start(model, 16000, 1, NULL, &live) != STENO_OK) return failed("live");
    /* A tenth of a second at a time, as a microphone would deliver it. */
    for (size_t start = 0; start < count; start += 1600) {
        size_t frames = count - start < 1600 ? count - start : 1600;
        if (steno_live_wait(live, frames) != STENO_OK) break;
        steno_live_push(live, samples + start, frames);
    }
    steno_live_finish(live);
    while ((status = steno_live_next(live, -1, &line)) == STENO_OK)
        if (strstr(line, "\"type\": \"final\"")) printf("%s\n", line);
    int result = status == STENO_END ? 0 : failed("live");
    steno_live_free(live);
    return result;
}

int main(int count, char **arguments) {
    steno_model *model;
    float *samples;
    size_t sample_count;
    if (count != 2) {
        fprintf(stderr, "usage: %s FILE\n", arguments[0]);
        return 2;
    }
    printf("steno %s\n", steno_version());
    if (steno_model_load("bundled", NULL, &model) != STENO_OK) return failed("load");
    int result = transcribe(model, arguments[1]);
    if (result == 0) {
        if (steno_decode_file(arguments[1], -1, &samples, &sample_count, NULL) == STENO_OK) {
            result = listen(model, samples, sample_count);
            steno_free(samples);
        } else {
            result = failed("decode");
        }
    }
    steno_model_free(model);
    return result;
}
