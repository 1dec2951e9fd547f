"""A player for privateer that is asked in words, as a language model is. privateer sim kuhn --bots "exec-text:python3 text.py",random"""

import json
import random
import re
import sys


def say(message):
    print(json.dumps(message), flush=True)


def complete(prompt):
    """In the place of a model: a sentence about one of the choices. Put a call of your model here."""
    choices = prompt.rpartition("# Your decision")[2]
    number = random.choice(re.findall(r"^(?:.*…\): )?(\d+) ", choices, re.MULTILINE))
    return f"Let me think about it.\n\nAnswer: {number}"


sys.stdin.reconfigure(encoding="utf-8")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "random in words"})
    elif message["type"] == "decide":
        say({"id": message["id"], "text": complete(message["prompt"])})
    elif message["type"] == "quit":
        break
