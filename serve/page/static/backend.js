// The backend of the page: the program in a worker of the browser. connect is as in the backend.js of pages with a server.

export function connect(hear) {
  const worker = new Worker("worker.js", {type: "module"});
  const mark = "privateer has a match";
  let resumes = false;
  try { resumes = Boolean(localStorage.getItem(mark)); } catch { /* then the lobby shows until the match is there */ }

  worker.onmessage = e => {
    const message = JSON.parse(e.data);
    if (message.is === "ready") {
      ask({do: "games"});
      if (resumes) ask({do: "sit"});
      return;
    }
    if (message.is === "view") {
      try { localStorage.setItem(mark, "1"); } catch { /* as above */ }
    }
    hear(message);
  };
  worker.onerror = () => hear({is: "lost"});

  function ask(message) {
    worker.postMessage(JSON.stringify(message));
  }

  return {ask, resumes, host: true, addresses: () => null};
}
