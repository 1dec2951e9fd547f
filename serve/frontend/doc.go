// Package frontend answers programs that have matches of their own, in any language, about rules, observations and players. `privateer engine` reads
// its questions from lines; the C library takes them as texts.
package frontend
