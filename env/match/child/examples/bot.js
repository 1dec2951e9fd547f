// A player for privateer: the least that the protocol asks for. privateer sim kuhn --bots "exec:node bot.js",random
const lines = require("node:readline").createInterface({ input: process.stdin });

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const choose = (question) => question.legal[Math.floor(Math.random() * question.legal.length)].action;

lines.on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say({ type: "hello", protocol: 1, name: "random in JavaScript" });
      break;
    case "decide":
      say({ id: message.id, action: choose(message) });
      break;
    case "quit":
      process.exit(0);
  }
});
