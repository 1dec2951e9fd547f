// Package response looks for players who do well against one that does not change: approximate best responses.
//
// A player is frozen into all seats of a table but one. Whoever wins most in that one seat shows how much can be
// won from it: a lower bound on its exploitability, since a best response would win at least as much. Of small games the best response
// itself is known (package exploit of the engine) and stands beside it.
package response
