// The program itself, in a worker, so that the page never waits while a bot thinks.
import { load } from "./privateer/index.js";

let ask; // the program's function, once it runs
const early = []; // messages before that
self.onmessage = e => ask ? ask(e.data) : early.push(e.data);

// The match is kept in the browser's own store, which the page does not read: its seed reveals the others' cards.
const store = new Promise(done => {
  const request = indexedDB.open("privateer", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("match");
  request.onsuccess = () => done(request.result);
  request.onerror = () => done(null); // then a reload loses it
});

async function kept() {
  const db = await store;
  return db && new Promise(done => {
    const request = db.transaction("match").objectStore("match").get("kept");
    request.onsuccess = () => done(request.result);
    request.onerror = () => done(undefined);
  });
}

async function keep(text) {
  const db = await store;
  if (db) db.transaction("match", "readwrite").objectStore("match").put(text, "kept");
}

async function start() {
  const [p, before] = await Promise.all([load(), kept()]);
  ask = p.table({answer: text => postMessage(text), keep, kept: before});
  postMessage('{"is":"ready"}');
  for (const text of early) ask(text);
}

start().catch(error => {
  console.error(error);
  postMessage(JSON.stringify({is: "lost"}));
  postMessage(JSON.stringify({is: "refusal", why: `${error.message}: load the page again`}));
});
