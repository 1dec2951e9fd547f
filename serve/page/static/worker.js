// The program itself, in a worker, so that the page never waits while a bot thinks. What host and privateer are is
// said in serve/page/wasm.
"use strict";
importScripts("wasm_exec.js", "unpack.js");

const early = []; // asked before the program runs
self.onmessage = e => self.privateer ? self.privateer.ask(e.data) : early.push(e.data);

async function file(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

// The match is kept in the browser's own store, which the page does not read: its seed says what all others hold.
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
  const [packed, list, before] = await Promise.all([file("privateer.wasm.lzma"), file("policies.json"), kept()]);
  const policies = JSON.parse(new TextDecoder().decode(list));
  self.host = {
    answer: text => postMessage(text),
    keep,
    kept: before,
    policies: Object.fromEntries(policies.map(p => [p.name, p.game])),
    bundle: name => file(policies.find(p => p.name === name).file),
  };
  const go = new Go();
  const {instance} = await WebAssembly.instantiate(unpack(packed), go.importObject);
  const ended = go.run(instance);
  for (const text of early) self.privateer.ask(text);
  await ended;
  throw new Error("the program has ended");
}

start().catch(error => {
  console.error(error);
  postMessage(JSON.stringify({is: "lost"}));
  postMessage(JSON.stringify({is: "refusal", why: `${error.message}: load the page again`}));
});
