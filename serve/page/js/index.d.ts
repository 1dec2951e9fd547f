/** What `Match.seat` is where chance is to act: only in games with `chance=explicit`. */
export const CHANCE: -1;
/** What `Match.seat` is when the match is over. */
export const OVER: -2;
/** In place of a seat: nothing is hidden. */
export const FULL: -1;

/** What was wrong. */
export type ErrorCode =
  /** An argument that means nothing. */
  | "bad_argument"
  /** The game string names no game, or sets what the game does not have. */
  | "unknown_game"
  /** A position that cannot be, or is none of the game. */
  | "bad_position"
  /** What is told cannot have happened, or is nothing that can be told. */
  | "bad_told"
  /** A transcript that cannot be replayed, or a match that has none. */
  | "bad_transcript"
  /** There is no such action, or it is not legal now. */
  | "illegal_action"
  /** There is no such seat, or none is to act. */
  | "wrong_seat"
  /** Nobody has the name, or who has it does not play the game. */
  | "unknown_player"
  /** A bundle that is damaged, or cannot be had. */
  | "bad_policy"
  /** A policy, or a position, of another game. */
  | "misfit"
  /** The match was freed. */
  | "freed"
  /** The WebAssembly is of another version than this module. */
  | "wrong_version"
  /** A file cannot be had, or the WebAssembly in it not be run. */
  | "not_loaded"
  /** The program has ended, because memory was short or by a bug: load it again. */
  | "ended"
  /** A bug of privateer. What was asked is left as it was, and all else continues. */
  | "internal";

/** Everything that privateer refuses is refused by one of these. After an error all is as it was before the call. */
export class PrivateerError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions);
}

export interface LoadOptions {
  /** The WebAssembly, packed or not: where it is, or its bytes. By default it lies beside the module. */
  wasm?: string | URL | ArrayBuffer | ArrayBufferView;
  /** The folder of the policies that come with the package. By default it lies beside the module. */
  policies?: string | URL;
}

/**
 * Load privateer. Each call gives a program of its own, with its own matches and policies.
 *
 * @throws {PrivateerError} `not_loaded` or `wrong_version`
 */
export function load(options?: LoadOptions): Promise<Privateer>;

/** A whole number from 0 to 2**64-1: as a number below 2**53, else as a bigint or as digits. */
export type Seed = number | bigint | string;

export interface SeedOptions {
  /** By default a random one. */
  seed?: Seed;
}

/** What a game string may set. */
export interface Param {
  name: string;
  default: string;
  help: string;
  /** It is a set: the value is `none`, or some of these joined by `+`. */
  words?: string[];
  /** All values that there are. */
  choices?: string[];
  /** Its value names a file, which cannot be read here: leave it as it is. */
  file?: boolean;
}

/** A game that there is. */
export interface GameListing {
  /** Its name in game strings. */
  game: string;
  title: string;
  params: Param[];
}

/** What there is to know of a configured game. */
export interface GameInfo {
  /** Its name in game strings. */
  game: string;
  title: string;
  /** The whole game string. */
  config: string;
  /** Seats are 0 … seats-1. */
  seats: number;
  /** Names, by number. */
  actions: string[];
  /** Names of what chance may decide; its numbers continue from the actions. */
  outcomes: string[];
  /** Bytes of an observation, D. */
  observation: number;
  /** Bytes that describe one legal action, F; 0 if the game has none. */
  row: number;
  /** What scores are made of; empty if the game has none. */
  score_sources: string[];
  /** A return times this is in the game's own unit. */
  return_scale: number;
  /** No match takes more decisions of players. */
  max_decisions: number;
  /** Returns may differ from 0 before the match is over. */
  pays_early: boolean;
  /** chance=explicit: what chance decides is the caller's to apply. */
  explicit: boolean;
  /** forced=show: decisions with one legal action are asked too. */
  show_forced: boolean;
  /** What rows end with, if the game string asks for advice. */
  advice?: string[];
  /** Who can think here: bots, and policies that come with the package or were added. */
  players: string[];
}

/** A trained policy that can be asked. */
export interface PolicyListing {
  name: string;
  /** The game that it plays, in any configuration. */
  game: string;
}

/** Games, matches and policies of one program. `load` makes it. */
export class Privateer {
  private constructor();

  /** The version of the program. */
  readonly version: string;

  /** The games that there are, with what a game string may set. */
  games(): GameListing[];

  /**
   * What there is to know of the game of a game string, such as `"doubloons(seats=4)"`.
   *
   * @throws {PrivateerError} `unknown_game`
   */
  game(game: string): GameInfo;

  /**
   * Deal a match. The same game, seed and actions are the same match everywhere.
   *
   * @throws {PrivateerError} `unknown_game` or `bad_argument`
   */
  match(game: string, options?: SeedOptions): Match;

  /**
   * A match that stands at a position: JSON, or what that parses to. What it leaves out is as in a fresh set-up. The view of a
   * seat from which something is hidden (`"?"`) is refused.
   *
   * @throws {PrivateerError} `unknown_game`, `bad_position` or `misfit`
   */
  read(game: string, position: string | object): Match;

  /**
   * Follow a match that is played elsewhere, from its beginning, by what one seat of it sees.
   *
   * @throws {PrivateerError} `unknown_game` or `wrong_seat`
   */
  track(game: string, seat: number): Tracker;

  /**
   * A match at the end of a transcript: JSON, or what that parses to, or the text form. Seats, legality and returns are checked.
   *
   * @throws {PrivateerError} `bad_transcript` or `unknown_game`
   */
  replay(transcript: Transcript | string): Match;

  /** The trained policies that can be asked. */
  policies(): PolicyListing[];

  /**
   * Add a policy, the bytes of a bundle, and return the name by which it can be asked.
   *
   * @param name letters, digits, `-`, `_` and `.`; by default the digest of the bytes
   * @throws {PrivateerError} `bad_policy` or `bad_argument`
   */
  policy(bytes: ArrayBuffer | ArrayBufferView, name?: string): string;

  /**
   * The one table that privateer's own page plays at: messages in, messages out.
   *
   * @internal
   */
  table(page: { answer(text: string): void; keep(text: string): void; kept?: string }): (text: string) => void;
}

/** A legal action, or what chance may bring. */
export interface Choice {
  /** Its number. */
  action: number;
  name: string;
  /** What it does. */
  words: string;
  /** What of the picture it is about: the element with this `data-mark`. */
  mark?: string;
  /** With which chance brings it; only if chance is to act. */
  probability?: number;
}

/** What has happened, as a seat sees it: `privateer spec GAME --only events` describes the kinds. */
export type Event = { kind: string; [field: string]: unknown };

/**
 * What a seat has seen: a choice that it saw being made, its own too, before what follows of it, or an event. Choices that are made face down, and those
 * that nobody is asked for because there is no other, are not told.
 */
export type Told = { seat: number; action: number | string } | Event;

/** A position, or what a seat may know of one: JSON, as `privateer spec GAME --only position_schema` describes it. */
export type Position = Record<string, unknown>;

/** What has happened, as a seat sees it. */
export interface Events {
  /**
   * Whether the seat sees this moment. If not, it must not be shown the match now: that somebody is asked would tell what is
   * hidden. What has happened is told when it may be.
   */
  seen: boolean;
  /** In order, as `privateer spec GAME --only events` describes them. */
  events: Event[];
  /** The same in sentences; not all that happens has words. */
  log: string[];
}

/** What networks read. */
export interface Encoding {
  /** `[D]`, what the seat may know. */
  observation: Uint8Array;
  /** `[A]`, 1 for each action that is legal; all are 0 unless the seat is to act. */
  mask: Uint8Array;
  /** `[legal, F]`, what each legal action does as far as the seat may know, in ascending order of actions. */
  rows: Uint8Array;
}

/** An action in the account of a player. What is not known is null. */
export interface Considered {
  /** Its name. */
  action: string;
  /** How often it was tried. */
  visits: number;
  /** Of what came of it to the seat that acts. */
  mean: number | null;
  standard_error: number | null;
  /** Of its mean over that of the prior's choice, where both were tried alike. */
  lead: number | null;
  lead_standard_error: number | null;
  /** What the player gave it before it tried. */
  prior_weight: number | null;
  /** With which it is chosen. */
  probability: number;
}

/** What speaks for a player's choice. */
export interface Account {
  /** The game string. */
  game: string;
  bot: string;
  seat: number;
  decision: string;
  /** The name of the action. */
  choice: string;
  /** The name of the one that it would have chosen without thinking. */
  prior?: string;
  /** Of means and values: `"chance to win"` or `"return"`. */
  unit?: string;
  /** What the position is worth to each seat; left out if the player says it of none. */
  value?: (number | null)[];
  /** The best come first. */
  actions?: Considered[];
  /** How it was found. */
  notes?: string[];
}

/** What a player thinks of a decision. */
export interface Thought {
  action: number;
  /** Of the action. */
  name: string;
  /** `[A]`, with which each action is chosen. */
  probabilities: Float64Array;
  /** What the position is worth to each seat, in the account's unit; null if the player does not say. */
  value: (number | null)[];
  account: Account;
}

/** A match that is played elsewhere, as one seat sees it. `Privateer.track` makes it. */
export class Tracker {
  private constructor();

  /**
   * A match as it may be, in which the seat is to act, after all that it has seen since this was called last, in order. What the seat
   * may know of it is true; what is hidden from the seat is a guess.
   *
   * @param told a list, or JSON
   * @throws {PrivateerError} `bad_told`: the tracker is as it was
   */
  asked(told: Told[] | string): Match;
}

/** The record of a match, as engine/TRANSCRIPT.md has it. */
export interface Transcript {
  /** Version of the format. */
  transcript: 1;
  /** Of the program that wrote it. */
  version?: string;
  game: string;
  /** In digits from 2**53 on. */
  seed: number | string;
  /** By seat. */
  players?: { name: string; digest?: string; faults?: number }[];
  tags?: Record<string, string>;
  comment?: string;
  /** Decisions, without forced ones; seat -1 is chance. */
  steps: { seat: number; action: string; comment?: string }[];
  /** By seat; null if the match was cut short. */
  returns: number[] | null;
}

/** One match. `Privateer.match`, `Privateer.read`, `Privateer.replay`, `Tracker.asked` and `Match.copy` make it. */
export class Match {
  private constructor();

  /** The game string, with all that it leaves out as it is. */
  readonly game: string;
  /** The seat that is to act, `CHANCE` or `OVER`. */
  readonly seat: number;
  readonly over: boolean;
  /** What is to be decided, in one line. Only the seat that is to act may know it. */
  readonly decision: string;
  /** `[seats]`, each seat's return, from -1 to 1; final when the match is over. */
  readonly returns: number[];

  /** What the seat that is to act may do, or what chance may bring, by ascending numbers. Only that seat may know it. */
  legal(): Choice[];

  /**
   * Perform an action, by its number or its name, and run on to the next decision.
   *
   * @throws {PrivateerError} `illegal_action`
   */
  apply(action: number | string): void;

  /**
   * The position as a seat sees it, or `FULL`. Read back, the latter is the same match.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  view(seat: number): Position;

  /**
   * A picture of the match as a seat sees it, or `FULL`: SVG.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  svg(seat: number): string;

  /**
   * The match as a seat sees it, or `FULL`, for a terminal.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  text(seat: number): string;

  /**
   * What has happened since this was asked last for the same seat, or `FULL`, as it sees it. A match that was copied or
   * read has its own beginning.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  events(seat: number): Events;

  /**
   * What networks read of the match, such as those of `privateer/policy`.
   *
   * @param seat by default the one that is to act
   * @throws {PrivateerError} `wrong_seat`
   */
  encode(seat?: number): Encoding;

  /**
   * Ask a player for the action of the seat that is to act, as the match is now. It looks at no more than that seat may know,
   * and all its luck comes from the seed. It thinks on this thread: in a page, let a search do that in a worker.
   *
   * @param player a policy such as `"captain"`, a bot such as `"heuristic"`, or a search such as
   *   `"search(rollouts=400,policy=captain)"`; `Privateer.game` lists them
   * @throws {PrivateerError} `unknown_player`, `misfit`, `bad_policy` or `wrong_seat`
   */
  think(player: string, options?: SeedOptions): Promise<Thought>;

  /**
   * The record of the match up to now, from its deal: what `Privateer.replay` takes. It tells everything, the seed among it.
   *
   * @throws {PrivateerError} `bad_transcript`: the match was begun at a position
   */
  transcript(): Transcript;

  /** Another match that stands where this one does, with the same luck to come. */
  copy(): Match;

  /** Free the match, which is an error to use then. One that nobody holds any more is freed by itself. */
  free(): void;
}
