//go:build cgo

#include <stdlib.h>
#include <string.h>

#include "privateer.h"

/* What hosts call. Go's side of each function, in export.go, is entered only where it can work: a forked process has only the thread that forked, so
   that Go's others are gone, and what waits for one of them waits for ever. */

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* The text of the last error of each thread: a call from C runs on the thread that it came from until it returns. Variables of a thread
   would do, but a library that is loaded while a program runs has room for a few bytes of them only. */
#ifdef _WIN32
#include <windows.h>

enum { forked = 0 };

static DWORD said;

static void WINAPI forget(void *text) { free(text); }

__attribute__((constructor)) static void begin(void) { said = FlsAlloc(forget); }

static char *last(void) { return FlsGetValue(said); }

static int keep(char *text) { return FlsSetValue(said, text) != 0; }
#else
#include <pthread.h>

static pthread_key_t said;

static int forked;

static void note_fork(void) { forked = 1; }

__attribute__((constructor)) static void begin(void) {
    pthread_key_create(&said, free);
    pthread_atfork(NULL, NULL, note_fork);
}

static char *last(void) { return pthread_getspecific(said); }

static int keep(char *text) { return pthread_setspecific(said, text) == 0; }
#endif

/* Keeps the text of an error of this thread. */
void privateer_say(const char *text, size_t n) {
    char *to = realloc(last(), n + 1);
    if (!to)
        return;
    memcpy(to, text, n);
    to[n] = 0;
    if (!keep(to))
        free(to);
}

/* The version, when Go's side has begun. */
const char *volatile privateer_made;

const char *go_version(void);

EXPORTED const char *privateer_version(void) {
    if (forked)
        return privateer_made ? privateer_made : "";
    return go_version();
}

EXPORTED const char *privateer_error(void) {
    const char *text = last();
    return text ? text : "";
}

static int64_t refused(void) {
    static const char why[] = "this process was forked after it had loaded privateer, which does not survive that: load it in the new process only, or "
                              "start that afresh (exec, spawn)";
    privateer_say(why, sizeof why - 1);
    return PRIVATEER_INTERNAL;
}

#define GUARDED(name, parameters, arguments)                  \
    int64_t go_##name parameters;                             \
    EXPORTED int64_t privateer_##name parameters {            \
        return forked ? refused() : go_##name arguments;      \
    }

GUARDED(free, (privateer_handle handle), (handle))
GUARDED(game, (const char *game), (game))
GUARDED(size, (privateer_handle game, int32_t what), (game, what))
GUARDED(spec, (privateer_handle game, char *json, int64_t *size), (game, json, size))
GUARDED(action, (privateer_handle game, const char *name), (game, name))
GUARDED(action_name, (privateer_handle game, int32_t action, char *name, int64_t *size), (game, action, name, size))
GUARDED(match, (privateer_handle game, uint64_t seed), (game, seed))
GUARDED(copy, (privateer_handle match), (match))
GUARDED(reset, (privateer_handle match, uint64_t seed), (match, seed))
GUARDED(seat, (privateer_handle match), (match))
GUARDED(apply, (privateer_handle match, int32_t action), (match, action))
GUARDED(mask, (privateer_handle match, uint8_t *mask, int64_t *size), (match, mask, size))
GUARDED(outcomes, (privateer_handle match, double *probabilities, int64_t *size), (match, probabilities, size))
GUARDED(observation, (privateer_handle match, int32_t seat, uint8_t *observation, int64_t *size), (match, seat, observation, size))
GUARDED(rows, (privateer_handle match, uint8_t *rows, int64_t *size), (match, rows, size))
GUARDED(returns, (privateer_handle match, float *returns, int64_t *size), (match, returns, size))
GUARDED(show, (privateer_handle match, int32_t view, int32_t as, char *text, int64_t *size), (match, view, as, text, size))
GUARDED(read, (privateer_handle match, const char *position), (match, position))
GUARDED(events, (privateer_handle match, int32_t view, char *json, int64_t *size), (match, view, json, size))
GUARDED(bot, (privateer_handle game, const char *name), (game, name))
GUARDED(think, (privateer_handle bot, privateer_handle match, uint64_t seed, double *probabilities, int64_t *actions, double *values, int64_t *seats), (bot, match, seed, probabilities, actions, values, seats))
GUARDED(ask, (const char *question, char *answer, int64_t *size), (question, answer, size))
GUARDED(session, (const char *policies, int32_t mailbox, int32_t batches), (policies, mailbox, batches))
GUARDED(perform, (privateer_handle session, int32_t milliseconds), (session, milliseconds))
