#ifndef STENO_H
#define STENO_H

/*
 * Steno: speech to text on this machine, for C and everything that calls C.
 *
 *     steno_model *model;
 *     steno_job *job;
 *     const steno_event *event;
 *     if (steno_model_load("bundled", NULL, &model) != STENO_OK) { puts(steno_last_error()); return 1; }
 *     if (steno_transcribe_file(model, "talk.wav", NULL, &job) != STENO_OK) { puts(steno_last_error()); return 1; }
 *     while (steno_job_next(job, -1, &event) == STENO_OK)
 *         if (event->kind == STENO_EVENT_SEGMENT) printf("%.2f %s\n", event->segment->start, event->segment->text);
 *     steno_job_free(job);
 *     steno_model_free(model);
 *
 * Errors. A function that can fail returns a status: STENO_OK, or a negative code. steno_last_error() then says in one or
 * two sentences what is wrong and what to do.
 *
 * Strings are UTF-8 and end with a zero. Those that a function returns through a `char **` belong to the caller, who frees
 * them with steno_free(); every `const char *` belongs to the library, and the function says how long it lives. Strings and
 * samples given to a function are copied before it returns. Names and paths must not be empty, and an array may be NULL only
 * if its count is 0; a count that no memory can hold, such as (size_t)-1, is STENO_ERROR_INVALID_OPTION.
 *
 * Options are JSON objects, NULL for the defaults. They have the names of Steno's Swift API, which
 * Documentation/Reference/Options.md lists; unknown names are errors. Times are in seconds.
 *
 * Threads. Any thread may call any function, and calls with different handles may run at the same time. One model serves any
 * number of jobs and sessions at once. A job or session has one reader: only one thread at a time may call its `next`, `run`
 * and `text` functions. `cancel`, `push` and `finish` may be called by other threads meanwhile. Nothing may use a handle
 * during or after its `free`. The library makes its own threads and calls back only on the caller's.
 *
 * Processes. A process that forks after it has used the library must not use it in the child: the threads are missing there.
 * Functions then fail with STENO_ERROR_FORKED, and `free` does nothing. Fork first, or run another program. dlclose() does
 * not unload the library, whose threads live as long as the process. Where SIGCHLD is ignored, or the host awaits all child
 * processes itself, formats that ffmpeg decodes can be read, but its failures are recognised only by its messages.
 *
 * Versions. Functions, codes and fields are only added, the latter at the end of structures that the library allocates one by
 * one (steno_event, steno_segment, steno_whisper); steno_word and steno_probability never change.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors and memory ---- */

/* The result of a function; positive values are not errors. */
typedef int32_t steno_status;
enum {
    STENO_OK = 0,
    STENO_END = 1,       /* there are no more events */
    STENO_TIMED_OUT = 2, /* nothing happened within the given time */
    STENO_DROPPED = 3,   /* the audio did not fit and was replaced by silence */

    STENO_ERROR = -1, /* any other error */
    STENO_ERROR_CANCELLED = -2,
    STENO_ERROR_INVALID_OPTION = -3,
    STENO_ERROR_UNKNOWN_LANGUAGE = -4,
    STENO_ERROR_MODEL_NOT_FOUND = -5,
    STENO_ERROR_MODEL_DAMAGED = -6,
    STENO_ERROR_MODEL_UNSUPPORTED = -7,
    STENO_ERROR_OUT_OF_MEMORY = -8,
    STENO_ERROR_AUDIO_NOT_FOUND = -9,
    STENO_ERROR_NOT_AUDIO = -10,
    STENO_ERROR_AUDIO_DAMAGED = -11,
    STENO_ERROR_AUDIO_UNREADABLE = -12,
    STENO_ERROR_DECODER_MISSING = -13,
    STENO_ERROR_NO_SPEECH = -14,
    STENO_ERROR_OUTPUT_FAILED = -15,
    STENO_ERROR_RESOURCE_MISSING = -16,
    STENO_ERROR_WRONG_STATE = -17, /* called before the start, after the end, or inside steno_job_run() */
    STENO_ERROR_FORKED = -18
};

/* The version, such as "0.1.0"; lives forever. */
const char *steno_version(void);

/* What the last function that failed on this thread says about it; lives until the next failure on this thread. */
const char *steno_last_error(void);

/* Frees memory that a function returned through a pointer to a pointer; NULL is allowed. */
void steno_free(void *memory);

/* ---- Models ---- */

typedef struct steno_model steno_model;

/*
 * Loads a model; takes from a tenth of a second to several seconds.
 *
 * name     a path; a name such as "base" or "large-v3" of a model on this machine; "bundled" for the one that comes with the
 *          library; NULL for the default. Nothing is downloaded.
 * options  "precision" ("automatic", "int8" or "float32"), "threads", "maximumConcurrentCalls"
 */
steno_status steno_model_load(const char *name, const char *options, steno_model **model);

/* Frees a model; jobs and sessions that use it keep it until they end. NULL is allowed. */
void steno_model_free(steno_model *model);

/* Describes a model as a JSON object: "family", "path", "precision", "threads", "languages", "tasks", "specialTokens" … */
steno_status steno_model_information(const steno_model *model, char **json);

/* Converts text to the tokens of a Whisper model. */
steno_status steno_model_encode(const steno_model *model, const char *text, int32_t **tokens, size_t *count);

/* Converts tokens of a Whisper model to text, without special tokens. */
steno_status steno_model_decode(const steno_model *model, const int32_t *tokens, size_t count, char **text);

/* Lists models as a JSON object: "installed" ("name", "folder", "origin") and "known" ("name", "repository", "size" …). */
steno_status steno_models(char **json);

/* ---- Transcription ---- */

typedef struct steno_job steno_job;

/*
 * These start a transcription and return at once; steno_job_next() gives its events. The options are those of Swift's
 * TranscriptionOptions and, in "whisper", WhisperOptions:
 *
 *     {"language": "de", "wordTimestamps": true, "speakers": {"count": 2}, "whisper": {"beamSize": 1}}
 */
steno_status steno_transcribe_file(
    const steno_model *model, const char *path, const char *options, steno_job **job);

/* Transcribes the bytes of a file of any supported format. */
steno_status steno_transcribe_data(
    const steno_model *model, const void *bytes, size_t count, const char *options, steno_job **job);

/* Transcribes interleaved samples from -1 to 1; a frame is one sample of every channel. */
steno_status steno_transcribe_samples(
    const steno_model *model, const float *samples, size_t frames, int32_t sample_rate, int32_t channels,
    const char *options, steno_job **job);

/* Detects the language of mono samples at 16 kHz; the only event is STENO_EVENT_LANGUAGE. */
steno_status steno_detect_language(
    const steno_model *model, const float *samples, size_t count, const char *options, steno_job **job);

/* A word and its times; never changes. */
typedef struct {
    const char *text; /* with the preceding space and the punctuation joined to it */
    double start;
    double end;
    double probability;  /* from 0 to 1 */
    const char *speaker; /* NULL without speaker labels */
} steno_word;

/* A language and its probability; never changes. */
typedef struct {
    const char *language; /* a code such as "en" */
    double probability;   /* from 0 to 1 */
} steno_probability;

/* What only Whisper models report about a segment. */
typedef struct {
    int64_t seek; /* the start of its window, in frames of 10 ms */
    const int32_t *tokens;
    size_t token_count;
    double temperature;
    double average_log_probability;
    double compression_ratio;
    double no_speech_probability;
} steno_whisper;

/* A segment of speech. */
typedef struct {
    int64_t id; /* from 0 */
    double start;
    double end;
    const char *text;
    const char *language;    /* NULL unless it was detected for each window */
    const char *speaker;     /* NULL without speaker labels */
    const steno_word *words; /* NULL without word times */
    size_t word_count;
    const steno_whisper *whisper; /* NULL for other models */
} steno_segment;

/* What an event reports. */
enum {
    STENO_EVENT_LANGUAGE = 1, /* language, probability, languages: once, before the first segment */
    STENO_EVENT_DURATION = 2, /* duration */
    STENO_EVENT_PROGRESS = 3, /* processed, duration, time_left */
    STENO_EVENT_SEGMENT = 4,  /* segment */
    STENO_EVENT_FINISHED = 5  /* language, probability, duration, speech_duration: last */
};

/* An event of a job; later versions may add kinds. */
typedef struct {
    int32_t kind;
    const char *language; /* a code such as "en", "und" if there is no audio to detect it from; NULL in other kinds */
    double probability;
    const steno_probability *languages; /* the most probable first; NULL if the language was given */
    size_t language_count;
    double duration;        /* of the audio; negative if it is not known */
    double speech_duration; /* of the detected speech; negative without voice activity detection */
    double processed;       /* the seconds of audio that are done */
    double time_left;       /* an estimate of the seconds to the end; negative if there is none */
    const steno_segment *segment;
} steno_event;

/*
 * Waits for the next event.
 *
 * seconds  the longest wait; 0 does not wait, negative waits without limit
 * event    lives until the next call with this job; NULL if there is none
 *
 * Returns STENO_OK with an event, STENO_TIMED_OUT, STENO_END after the last one, or the error that ended the job.
 */
steno_status steno_job_next(steno_job *job, double seconds, const steno_event **event);

/* Receives an event on the thread that called steno_job_run(); returning false cancels the job. */
typedef bool (*steno_on_event)(const steno_event *event, void *context);

/*
 * Gives all events to a function and returns when the job has ended: STENO_OK, or its error. The function may cancel or free
 * the job, but not read it: steno_job_next() and steno_job_run() fail there with STENO_ERROR_WRONG_STATE.
 */
steno_status steno_job_run(steno_job *job, steno_on_event on_event, void *context);

/* Stops a job within one token; its reader gets STENO_ERROR_CANCELLED. */
void steno_job_cancel(steno_job *job);

/* The whole transcript after STENO_EVENT_FINISHED, as "txt", "srt", "vtt", "lrc", "json", "tsv" or "rttm". */
steno_status steno_job_text(steno_job *job, const char *format, char **text);

/* Cancels a job and frees it; NULL is allowed. */
void steno_job_free(steno_job *job);

/* ---- Live transcription ---- */

typedef struct steno_live steno_live;

/*
 * Starts a session for audio that the caller pushes. The options are those of Swift's LiveOptions:
 *
 *     {"language": "en", "balance": "soonest"}
 */
steno_status steno_live_start(
    const steno_model *model, int32_t sample_rate, int32_t channels, const char *options, steno_live **live);

/*
 * Adds interleaved samples from -1 to 1, without waiting, locks or allocations, as audio devices' threads need it. Only one
 * thread at a time may push. Returns STENO_DROPPED if the audio does not fit the buffer of 30 seconds, and
 * STENO_ERROR_WRONG_STATE after the end of the session. Of the audio that it took, ten minutes wait for a slow session; what
 * exceeds them is lost and reported by an event, unless the caller waits.
 */
steno_status steno_live_push(steno_live *live, const float *samples, size_t frames);

/*
 * Waits until a block of this many frames fits or the session has ended, for audio that does not come from a device. Wait
 * before each block and nothing is lost, however slow the session is.
 */
steno_status steno_live_wait(steno_live *live, size_t frames);

/*
 * Waits for the next event, as steno_job_next() does. Events wait until they are read: of more than 8,192, levels and
 * replaced partial text are dropped, and if that is not enough, all become one snapshot of the text.
 *
 * json  one line as Documentation/Reference/Events.md describes it; lives until the next call with this session
 */
steno_status steno_live_next(steno_live *live, double seconds, const char **json);

/* Ends the audio; the last words follow as events, then STENO_END. */
void steno_live_finish(steno_live *live);

/* Ends the session at once; text that is not final is lost. */
void steno_live_cancel(steno_live *live);

/* Cancels a session and frees it; NULL is allowed. */
void steno_live_free(steno_live *live);

/* ---- Audio ---- */

/*
 * Reads a file of any supported format as samples at 16 kHz from -1 to 1; the caller frees them with steno_free().
 *
 * channel   the only channel to read, counted from 0; negative averages all
 * channels  the number of channels, if a channel was chosen; else 0. May be NULL
 */
steno_status steno_decode_file(
    const char *path, int32_t channel, float **samples, size_t *count, int32_t *channels);

/* Reads the bytes of a file, as steno_decode_file() does. */
steno_status steno_decode_data(const void *bytes, size_t count, float **samples, size_t *sample_count);

/* A stretch of speech, in samples at 16 kHz; never changes. */
typedef struct {
    int64_t start;
    int64_t end;
} steno_span;

/*
 * Finds the speech in mono samples at 16 kHz; the caller frees the spans with steno_free(). The options are those of Swift's
 * VoiceActivityOptions: "threshold", "minSilenceSeconds" …
 */
steno_status steno_find_speech(
    const float *samples, size_t count, const char *options, steno_span **spans, size_t *span_count);

#ifdef __cplusplus
}
#endif

#endif
