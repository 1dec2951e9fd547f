/* A host that passes what means nothing, from many threads at once. It ends with 0 if each call is an error by its code and the
   library continues. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "privateer.h"

static void want(int64_t got, int64_t code, const char *what) {
    if (got != code || (code < 0 && !*privateer_error())) {
        fprintf(stderr, "%s: %lld, want %lld: %s\n", what, (long long)got, (long long)code, privateer_error());
        exit(1);
    }
}

static privateer_handle game, match, bot;

/* Plays matches of its own, and looks at one that all threads share. */
static void *play(void *seed) {
    privateer_handle own = privateer_match(game, (uintptr_t)seed);
    uint8_t mask[512];
    for (int n = 0; n < 2000; n++) {
        int64_t size = sizeof mask;
        want(privateer_mask(match, mask, &size), 0, "the shared mask");
        if (privateer_seat(own) == PRIVATEER_OVER)
            want(privateer_reset(own, n), 0, "reset");
        int64_t action = privateer_think(bot, own, n, NULL, NULL, NULL, NULL);
        want(privateer_apply(own, action), 0, "apply");
        want(privateer_apply(own, 100000), PRIVATEER_ILLEGAL, "an action that there is none");
    }
    want(privateer_free(own), 0, "free");
    want(privateer_free(own), PRIVATEER_HANDLE, "free again");
    return NULL;
}

/* Thinks until it is told to end. */
static void *think(void *end) {
    privateer_handle own = privateer_match(game, 3);
    for (int n = 0; !*(volatile int *)end; n++)
        want(privateer_think(bot, own, n, NULL, NULL, NULL, NULL) < 0, 0, "think while others fork");
    return NULL;
}

/* Forks, also while another thread is in a call: in the child every call is refused, and none waits for what is not there. */
static void forks(void) {
    int end = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, think, &end);
    for (int n = 0; n < 100; n++) {
        pid_t child = fork();
        if (child == 0) {
            int64_t size = 0;
            want(privateer_seat(match), PRIVATEER_INTERNAL, "a match in a forked process");
            want(privateer_game("leduc"), PRIVATEER_INTERNAL, "a game in a forked process");
            want(privateer_think(bot, match, 1, NULL, NULL, NULL, NULL), PRIVATEER_INTERNAL, "a bot in a forked process");
            want(privateer_ask("{}", NULL, &size), PRIVATEER_INTERNAL, "a question in a forked process");
            want(privateer_free(match), PRIVATEER_INTERNAL, "free in a forked process");
            want(strstr(privateer_error(), "spawn") != NULL && *privateer_version(), 1, "the error of");
            _exit(0);
        }
        int status = 1;
        want(waitpid(child, &status, 0), child, "the forked process ends");
        want(status, 0, "how the forked process ends");
        want(privateer_seat(match) < PRIVATEER_OVER, 0, "the parent continues");
    }
    end = 1;
    pthread_join(thread, NULL);
}

int main(void) {
    int64_t one = 1, none = 0, less = -1, size;
    char text[8];
    uint8_t byte;
    want(privateer_game(NULL), PRIVATEER_ARGUMENT, "no game");
    want(privateer_game("\xff\xfe"), PRIVATEER_ARGUMENT, "a game of no text");
    want(privateer_game("doubloons(seats=99)"), PRIVATEER_ARGUMENT, "too many seats");
    game = privateer_game("doubloons(seats=2)");
    match = privateer_match(game, 1);
    bot = privateer_bot(game, "heuristic");
    want(privateer_bot(game, "pirate"), PRIVATEER_MISFIT, "a bot of another game");
    want(privateer_bot(game, NULL), PRIVATEER_ARGUMENT, "no bot");
    want(privateer_seat(bot), PRIVATEER_HANDLE, "a bot for a match");
    want(privateer_seat(1 << 30), PRIVATEER_HANDLE, "no handle");
    want(privateer_mask(match, NULL, NULL), PRIVATEER_ARGUMENT, "no size");
    want(privateer_mask(match, NULL, &none), PRIVATEER_SHORT, "no buffer");
    want(privateer_mask(match, &byte, &less), PRIVATEER_ARGUMENT, "a negative size");
    want(privateer_observation(match, 2, &byte, &one), PRIVATEER_ARGUMENT, "no such seat");
    size = sizeof text;
    want(privateer_show(match, 0, PRIVATEER_POSITION, text, &size), PRIVATEER_SHORT, "a short buffer");
    char *whole = malloc(size);
    want(privateer_show(match, 0, PRIVATEER_POSITION, whole, &size), 0, "as much as it asked for");
    want((int64_t)strlen(whole) + 1, size, "what was filled");
    free(whole);
    want(privateer_read(match, "{\"ships\": [{\"hull\": 99}]}"), PRIVATEER_ARGUMENT, "a ship that cannot be");
    want(privateer_read(match, NULL), PRIVATEER_ARGUMENT, "no position");
    struct {
        char text[512], canary;
    } answer = {.canary = 42};
    size = 8;
    want(privateer_ask("{", answer.text, &size), PRIVATEER_SHORT, "an answer that does not fit");
    want(answer.text[0], 0, "nothing is filled");
    size = sizeof answer.text;
    want(privateer_ask("{", answer.text, &size), 0, "a question of no JSON is answered");
    want(answer.canary, 42, "what lies behind the buffer");
    pthread_t threads[8];
    for (uintptr_t i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, play, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    want(privateer_perform(match, 0), PRIVATEER_HANDLE, "a match for a session");
    want(privateer_session(NULL, 0, 0), PRIVATEER_ARGUMENT, "no folder of policies");
    want(privateer_session("", -1, -1), PRIVATEER_ARGUMENT, "no files");
    int ends[2];
    want(pipe(ends), 0, "a pipe");
    want(privateer_session("", ends[0], ends[1]), PRIVATEER_ARGUMENT, "files that are no memory");
    forks();
    want(privateer_seat(match) >= PRIVATEER_OVER ? 0 : privateer_seat(match), 0, "and the library continues");
    return 0;
}
