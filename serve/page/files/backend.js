// The backend of the page: its server, over a WebSocket. A page without a server has another backend.js with
// the same connect.

// The fragment of the address, after #: host, a key that opens tables; table and key, those of this page's seat.
function keys() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// connect calls hear with each message. Besides those of the protocol there are {is: "lost"} and {is: "found"}, when
// the server stops answering and answers again. It returns an object with:
//   ask(message)      sends a message
//   resumes           whether a match will follow at once
//   host              whether tables can be opened
//   addresses(opened) the addresses of the seats, by seat, "" for bots
export function connect(hear) {
  let socket, wait = 250, lost = false;
  const backend = {ask, resumes: Boolean(keys().table), host: Boolean(keys().host), addresses};

  function ask(message) {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  function addresses(opened) {
    return opened.keys.map(key => key && location.origin + location.pathname + "#" + new URLSearchParams({table: opened.table, key}));
  }

  function open() {
    socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/talk");
    socket.onopen = () => {
      wait = 250;
      if (lost) hear({is: "found"});
      lost = false;
      const k = keys();
      if (k.host) ask({do: "sit", key: k.host});
      if (k.table) ask({do: "sit", table: k.table, key: k.key ?? ""});
      if (!k.host && !k.table) ask({do: "sit", key: ""});
    };
    socket.onmessage = e => {
      const message = JSON.parse(e.data);
      if (message.is === "opened") {
        const k = {table: message.table, key: message.keys[message.seat]};
        if (keys().host) k.host = keys().host;
        history.replaceState(null, "", "#" + new URLSearchParams(k));
      }
      hear(message);
    };
    socket.onclose = () => {
      if (!lost) hear({is: "lost"});
      lost = true;
      setTimeout(open, wait);
      wait = Math.min(2 * wait, 8000);
    };
  }

  // Another address in the same window is another seat.
  addEventListener("hashchange", () => location.reload());
  open();
  return backend;
}
