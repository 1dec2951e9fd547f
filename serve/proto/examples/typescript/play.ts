// A match of Dead Man's Doubloons against the captain: node play.js ADDRESS PROTOS. It takes the first legal action.
import { credentials, loadPackageDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ProtoGrpcType } from "./generated/policy.js";
import type { HostRequest } from "./generated/privateer/v1/HostRequest.js";
import type { HostResponse__Output } from "./generated/privateer/v1/HostResponse.js";
import type { PlayRequest } from "./generated/privateer/v1/PlayRequest.js";
import type { PlayResponse__Output } from "./generated/privateer/v1/PlayResponse.js";

const [address, protos] = process.argv.slice(2) as [string, string];
const read = loadSync("privateer/v1/policy.proto", { includeDirs: [protos], longs: String, defaults: true });
const { privateer } = loadPackageDefinition(read) as unknown as ProtoGrpcType;
const policies = new privateer.v1.PolicyService(address, credentials.createInsecure());
const host = (request: HostRequest) =>
  new Promise<HostResponse__Output>((done, fail) => policies.Host(request, (error, answer) => (error ? fail(error) : done(answer!))));
const play = (request: PlayRequest) =>
  new Promise<PlayResponse__Output>((done, fail) => policies.Play(request, (error, answer) => (error ? fail(error) : done(answer!))));

const table = await host({ game: "doubloons(seats=2)", seed: 7, seats: ["", "policy:captain"] });
const key = { tableId: table.tableId, seatKey: table.seatKeys[0]! };
let turn = await play(key);
let decisions = 0;
for (; !turn.over; decisions++) {
  turn.log.forEach((line) => console.log(line));
  const choice = turn.legal[0]!;
  console.log(`${turn.text}: ${choice.words}`);
  turn = await play({ ...key, decision: turn.decision, action: choice.action });
}
const data = turn.episodeReturn!.data;
console.log(`over after ${decisions} decisions: returns ${data.readFloatLE(0).toFixed(2)} and ${data.readFloatLE(4).toFixed(2)}`);
policies.close();
