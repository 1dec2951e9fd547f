/* A player for privateer that takes the first legal action. C has no JSON, and so it searches the lines for the two
   numbers that it needs, which come before all else. cc -O -o bot bot.c */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number that follows a mark in a line. */
static long number(const char *line, const char *mark) {
    const char *at = strstr(line, mark);
    return at ? strtol(at + strlen(mark), NULL, 10) : -1;
}

static int is(const char *line, const char *start) { return strncmp(line, start, strlen(start)) == 0; }

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (is(line, "{\"type\":\"hello\""))
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"first in C\"}");
        else if (is(line, "{\"type\":\"decide\""))
            printf("{\"id\":%ld,\"action\":%ld}\n", number(line, "\"id\":"), number(line, "\"legal\":[{\"action\":"));
        else if (is(line, "{\"type\":\"quit\""))
            break;
        fflush(stdout);
    }
    free(line);
    return 0;
}
