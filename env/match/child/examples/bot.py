"""A player for privateer: the least that the protocol asks for. privateer sim kuhn --bots "exec:python3 bot.py",random"""

import json
import random
import sys


def say(message):
    print(json.dumps(message), flush=True)


def choose(question):
    return random.choice(question["legal"])["action"]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "random in Python"})
    elif message["type"] == "decide":
        say({"id": message["id"], "action": choose(message)})
    elif message["type"] == "quit":
        break
