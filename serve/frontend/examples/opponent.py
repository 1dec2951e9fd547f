"""A table of our own with captains at it: Python's standard library and the privateer program, one child, JSON lines.

    python3 opponent.py [PROGRAM] [FILE…]    captain's choice at each position file; of none, a match of four captains
"""

import json
import subprocess
import sys

program, *positions = sys.argv[1:] or ["privateer"]
child = subprocess.Popen([program, "engine", "--attended"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1)


def ask(op, **entries):
    child.stdin.write(json.dumps({"op": op, **entries}) + "\n")
    answer = json.loads(child.stdout.readline())
    if "error" in answer:
        sys.exit(f"{answer['code']}: {answer['error']}")
    return answer


for file in positions:
    with open(file, encoding="utf-8") as text:
        thought = ask("think", player="captain", position={"game": "doubloons(seats=4)", **json.load(text)})
    print(f"{file}: {thought['name']} of {len(thought['legal'])}, seats expect {thought['value']}")

if not positions:
    game, decisions = "doubloons(seats=4,chance=sampled)", 0
    match = ask("match", game=game, seed=7)
    while match["seat"] >= 0:
        thought = ask("think", game=game, state=match["state"], player="captain", seed=decisions)
        match = ask("match", game=game, state=match["state"], actions=[thought["action"]], view=0, **{"with": ["log"]})
        print(*match["log"], sep="\n", end="\n" * bool(match["log"]))
        decisions += 1
    print(f"{decisions} decisions, returns {match['returns']}")
