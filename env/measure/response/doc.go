// Package response searches for approximate best responses to a fixed player.
//
// The fixed player takes all seats but one. The strongest opponent found for that seat is a lower bound on its
// exploitability, since a best response wins at least as much. For small games the exact best response
// is computed too (package engine/players/exploit).
package response
