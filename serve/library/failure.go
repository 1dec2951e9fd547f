package main

/*
#include <stddef.h>

void privateer_say(const char *text, size_t n); // in guard.c
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
	C.privateer_say((*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text)))
}
