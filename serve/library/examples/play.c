/* A bot plays all seats of a match: play GAME BOT SEED. Prints each decision with a digest of what a network would read, then the returns.
   cc -o play play.c -lprivateer */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "privateer.h"

/* The result of a call, unless that is an error. */
static int64_t must(int64_t n) {
    if (n <= PRIVATEER_HANDLE) {
        fprintf(stderr, "play: %s\n", privateer_error());
        exit(1);
    }
    return n;
}

/* FNV-1a, from the digest of what came before. */
static uint64_t digest(uint64_t hash, const uint8_t *data, int64_t size) {
    for (int64_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 0x100000001b3;
    return hash;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: play GAME BOT SEED\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[3], NULL, 10);
    privateer_handle game = must(privateer_game(argv[1])), bot = must(privateer_bot(game, argv[2])), match = must(privateer_match(game, seed));
    int64_t seats = must(privateer_size(game, PRIVATEER_SEATS)), actions = must(privateer_size(game, PRIVATEER_ACTIONS));
    int64_t sees = must(privateer_size(game, PRIVATEER_OBSERVATION)), row = must(privateer_size(game, PRIVATEER_ROW));
    uint8_t *observation = malloc(sees), *mask = malloc(actions), *rows = malloc(actions * row + 1);
    float *returns = malloc(seats * sizeof *returns);
    for (int64_t seat; (seat = must(privateer_seat(match))) != PRIVATEER_OVER;) {
        int64_t size = sees, legal = actions, described = actions * row;
        must(privateer_observation(match, seat, observation, &size));
        must(privateer_mask(match, mask, &legal));
        must(privateer_rows(match, rows, &described));
        uint64_t hash = digest(digest(digest(0xcbf29ce484222325, observation, size), mask, legal), rows, described);
        int64_t action = must(privateer_think(bot, match, ++seed, NULL, NULL, NULL, NULL));
        char name[256];
        int64_t room = sizeof name;
        must(privateer_action_name(game, action, name, &room));
        printf("%" PRId64 " %s %016" PRIx64 "\n", seat, name, hash);
        must(privateer_apply(match, action));
    }
    must(privateer_returns(match, returns, &seats));
    for (int64_t seat = 0; seat < seats; seat++)
        printf("returns %.6f\n", returns[seat]);
    free(observation), free(mask), free(rows), free(returns);
    must(privateer_free(match)), must(privateer_free(bot)), must(privateer_free(game));
    return 0;
}
