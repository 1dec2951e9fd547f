/* privateer's games, encoders and bots in your own process: link libprivateer. README.md has an example in each of three languages.

   Handles are numbers. A game makes matches and bots; each of them stays what it is when the game is freed. A handle that was freed is an
   error and never another's. Every function may be called by any thread at any time: calls with the same match, or the same bot, wait
   for each other, and a match is not held while a bot thinks about it.

   Every function but privateer_version and privateer_error returns a number: from 0 on it is the result, 0 where there is none. Errors are
   PRIVATEER_HANDLE and below; privateer_error has the text. After an error everything is as it was before the call.

   Buffers are yours. `size` points to how many elements a buffer has room for, and says afterwards how many were filled. If it
   is short, nothing is filled, the error is PRIVATEER_SHORT, and size says how many are needed: so a call with 0 asks for that. Texts are UTF-8
   and end with a zero, which counts.

   A process that is forked after it has loaded the library has only one of its threads in the child, and the library does not work there: every call
   is refused at once (PRIVATEER_INTERNAL), whatever the parent was doing. Load it after the fork, or start the process afresh (exec, spawn). */

#ifndef PRIVATEER_H
#define PRIVATEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t privateer_handle;

/* What privateer_seat returns besides seats. */
enum {
    PRIVATEER_CHANCE = -1, /* chance is to act: only in games with chance=explicit */
    PRIVATEER_OVER = -2    /* the match is over */
};

/* Errors. */
enum {
    PRIVATEER_HANDLE = -10,   /* no such handle, or one of another kind */
    PRIVATEER_ARGUMENT = -11, /* an argument that means nothing: a game, a name, a position, a seat, a NULL */
    PRIVATEER_ILLEGAL = -12,  /* an action that is not legal now */
    PRIVATEER_MISFIT = -13,   /* a bot or a position of another game than the match */
    PRIVATEER_SHORT = -14,    /* a buffer that is too small: size says how many elements are needed */
    PRIVATEER_INTERNAL = -15  /* a bug of privateer, or a process that was forked */
};

/* The version of the library. */
const char *privateer_version(void);

/* The text of the last error in this thread, until the next one there. It names what was wrong and the remedy. */
const char *privateer_error(void);

/* Frees a handle of any kind. A call that is under way with it in another thread ends as usual. */
int64_t privateer_free(privateer_handle handle);

/* Games. */

/* Opens the game of a game string, such as "doubloons(seats=4)" or "jolly_roger(seats=6,chance=explicit)", and returns its handle. */
int64_t privateer_game(const char *game);

/* What privateer_size says of a game. */
enum {
    PRIVATEER_SEATS = 0,       /* seats are 0 … SEATS-1 */
    PRIVATEER_ACTIONS = 1,     /* actions are 0 … ACTIONS-1 */
    PRIVATEER_OUTCOMES = 2,    /* what chance may decide: ACTIONS … ACTIONS+OUTCOMES-1 */
    PRIVATEER_OBSERVATION = 3, /* bytes of an observation */
    PRIVATEER_ROW = 4          /* bytes that describe one legal action; 0 if the game has none */
};
int64_t privateer_size(privateer_handle game, int32_t what);

/* All about a game as JSON: seats, names of actions, schemas of observations, rows, positions and events, as `privateer spec GAME --json`. */
int64_t privateer_spec(privateer_handle game, char *json, int64_t *size);

/* The number of an action, or of an outcome of chance, by its name; and the name of a number. */
int64_t privateer_action(privateer_handle game, const char *name);
int64_t privateer_action_name(privateer_handle game, int32_t action, char *name, int64_t *size);

/* Matches. */

/* Deals a match and returns its handle. The same game, seed and actions are the same match, everywhere. */
int64_t privateer_match(privateer_handle game, uint64_t seed);

/* Makes another match that stands where this one does, with the same luck to come, and returns its handle. */
int64_t privateer_copy(privateer_handle match);

/* Deals the match anew. */
int64_t privateer_reset(privateer_handle match, uint64_t seed);

/* The seat that is to act, PRIVATEER_CHANCE or PRIVATEER_OVER. */
int64_t privateer_seat(privateer_handle match);

/* Performs an action of the seat to act, or an outcome if chance is to act, and runs on to the next decision. */
int64_t privateer_apply(privateer_handle match, int32_t action);

/* [ACTIONS], 1 for each action that is legal and else 0. All are 0 if no seat is to act. */
int64_t privateer_mask(privateer_handle match, uint8_t *mask, int64_t *size);

/* [OUTCOMES], the probability of each outcome. All are 0 if chance is not to act. */
int64_t privateer_outcomes(privateer_handle match, double *probabilities, int64_t *size);

/* [OBSERVATION], what a seat may know, as a network reads it. */
int64_t privateer_observation(privateer_handle match, int32_t seat, uint8_t *observation, int64_t *size);

/* [legal, ROW], what each legal action does as far as the seat to act may know, in ascending order of actions. */
int64_t privateer_rows(privateer_handle match, uint8_t *rows, int64_t *size);

/* [SEATS], each seat's return from -1 to 1; final when the match is over. */
int64_t privateer_returns(privateer_handle match, float *returns, int64_t *size);

/* Shows the match as a seat sees it, or with PRIVATEER_FULL with nothing hidden. */
enum { PRIVATEER_FULL = -1 };
enum {
    PRIVATEER_POSITION = 0, /* JSON, which privateer_read reads */
    PRIVATEER_TEXT = 1,     /* for a person */
    PRIVATEER_SVG = 2,      /* a picture */
    PRIVATEER_DECISION = 3  /* {"seat", "decision", "legal": [{"action", "name", "words"}]}; nothing is legal for another than the seat to act */
};
int64_t privateer_show(privateer_handle match, int32_t view, int32_t as, char *text, int64_t *size);

/* Sets the match to a position, JSON as `privateer position` knows it. What it leaves out takes its value from a fresh set-up. */
int64_t privateer_read(privateer_handle match, const char *position);

/* What has happened since the last call for this view, as it sees it: {"seen", "events", "log"}, event by event and in words. The first call
   begins: it returns no events. Unless "seen" is true the view must not be shown the match now, for that somebody is asked would tell it
   what is hidden; what happens is told when it may be. What does not fit into the buffer is told by the next call. */
int64_t privateer_events(privateer_handle match, int32_t view, char *json, int64_t *size);

/* Bots. */

/* Opens a player of a game and returns its handle: "captain" or another policy that comes with the library, "policy:FILE", a bot such as
   "heuristic", or a search such as "search(rollouts=400,policy=captain)". */
int64_t privateer_bot(privateer_handle game, const char *name);

/* Asks a bot for the action of the seat to act, and returns it. It looks at no more than that seat may know. All its luck
   comes from the seed: take another for each decision. What is not NULL is filled: probabilities, [ACTIONS], with which it draws, 1 for its
   choice if it does not draw; and values, [SEATS], what the position is worth to each seat, NaN where it does not say. Their unit, and all that a
   search has tried, is in the account that privateer_ask has of "op": "think". */
int64_t privateer_think(privateer_handle bot, privateer_handle match, uint64_t seed, double *probabilities, int64_t *actions, double *values, int64_t *seats);

/* Everything else: a question as JSON and its answer, as `privateer engine` reads and writes them (serve/frontend/README.md). A question that is
   refused is answered too, by {"error", "code", "field"}. Questions wait for each other, whichever thread asks: what is to run at the same time has functions of
   its own. Tracking a match from what one seat is told is "op": "track". */
int64_t privateer_ask(const char *question, char *answer, int64_t *size);

/* Sessions: vectors of matches with automatic resets and bots among the players, for privateer's package for Python, which knows what
   lies in the memory (serve/shared.go). From other languages use matches. */

/* Begins a session and returns its handle. policies is a folder of bundles that may play, or "". mailbox and batches are the numbers of two open files,
   which the library closes. */
int64_t privateer_session(const char *policies, int32_t mailbox, int32_t batches);

/* Performs the command in the mailbox and returns 1 when it is answered. What takes long continues by itself: after this many milliseconds the call returns 0,
   and the next one waits on. */
int64_t privateer_perform(privateer_handle session, int32_t milliseconds);

#ifdef __cplusplus
}
#endif

#endif
