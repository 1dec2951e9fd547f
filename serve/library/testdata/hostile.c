/* A host that passes what means nothing, from many threads at once. It ends with 0 if each call is an error by its code and the
   library goes on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    want(privateer_seat(match) >= PRIVATEER_OVER ? 0 : privateer_seat(match), 0, "and the library goes on");
    return 0;
}
