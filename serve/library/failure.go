package main

/*
#include <stdlib.h>
#include <string.h>

// The text of the last error of each thread: a call from C runs on the thread that it came from until it returns. Variables of a thread
// would do, but a library that is loaded while a program runs has room for a few bytes of them only.
#ifdef _WIN32
#include <windows.h>

static DWORD said;

static void WINAPI forget(void *text) { free(text); }

__attribute__((constructor)) static void begin(void) { said = FlsAlloc(forget); }

static char *last(void) { return FlsGetValue(said); }

static int keep(char *text) { return FlsSetValue(said, text) != 0; }
#else
#include <pthread.h>

static pthread_key_t said;

// A forked process has only the thread that forked: Go's others are gone, and what waits for one of them waits for ever.
static _Bool forked;

static void note_fork(void) { forked = 1; }

__attribute__((constructor)) static void begin(void) {
	pthread_key_create(&said, free);
	pthread_atfork(NULL, NULL, note_fork);
}

static char *last(void) { return pthread_getspecific(said); }

static int keep(char *text) { return pthread_setspecific(said, text) == 0; }
#endif

static void say(const char *text, size_t n) {
	char *to = realloc(last(), n + 1);
	if (!to)
		return;
	memcpy(to, text, n);
	to[n] = 0;
	if (!keep(to))
		free(to);
}

static _Bool *fork_noted(void) {
#ifdef _WIN32
	static _Bool never;
	return &never;
#else
	return &forked;
#endif
}
*/
import "C"

import (
	"strings"
	"unsafe"
)

// most is the most bytes that the text of an error has.
const most = 1 << 16

// say makes an error the last one of this thread.
func say(err error) {
	text := err.Error()
	text = strings.ToValidUTF8(text[:min(len(text), most)], "\uFFFD")
	C.say((*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text)))
}

// nothing is the text of the last error where there was none.
var nothing = C.CString("")

// lastSaid is the text of the last error of this thread.
func lastSaid() *C.char {
	if text := C.last(); text != nil {
		return text
	}
	return nothing
}

var forked = C.fork_noted()

// hasForked reports whether this process was forked from the one that loaded the library.
func hasForked() bool { return bool(*forked) }
