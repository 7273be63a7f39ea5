import type { TraceChange } from "@whytrace/contract";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError, api } from "./api.ts";

/** `resync`: anything may have changed. */
export type LiveUpdate = readonly TraceChange[] | "resync";
export type LiveState = "connecting" | "live" | "reconnecting" | "off";

type Listener = (news: LiveUpdate) => void;

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** The server sends a heartbeat every 15 s. */
const SILENCE_MS = 40_000;
/** A browser has six lines to a server: tabs that nobody looks at must not hold them. */
const HIDDEN_MS = 10_000;

/**
 * The one stream of this page, shared by every view. It opens with the first of them and resumes by its cursor whenever
 * it was lost, so listeners miss nothing.
 */
class LiveFeed {
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();
  #state: LiveState = "connecting";
  #users = 0;
  #source: EventSource | undefined;
  #cursor = "";
  #retryMs = FIRST_RETRY_MS;
  #retry = 0;
  #silence = 0;
  #hidden = 0;

  readonly getState = () => this.#state;

  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly listen = (listener: Listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Keeps the stream open until the returned function is called. */
  readonly use = () => {
    this.#users += 1;
    if (this.#users === 1) {
      document.addEventListener("visibilitychange", this.#follow);
      this.#follow();
    }
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      document.removeEventListener("visibilitychange", this.#follow);
      this.#close();
      // Whoever comes next may be somebody else.
      this.#cursor = "";
      this.#become("connecting");
    };
  };

  readonly #follow = () => {
    clearTimeout(this.#hidden);
    if (document.hidden) this.#hidden = setTimeout(() => this.#close(), HIDDEN_MS);
    else if (!this.#source) this.#open();
  };

  #open() {
    this.#close();
    const source = new EventSource(`/api/stream${this.#cursor && `?cursor=${this.#cursor}`}`);
    this.#source = source;
    this.#hear();
    source.addEventListener("ready", (event) => {
      this.#retryMs = FIRST_RETRY_MS;
      this.#become("live");
      // What was loaded before the stream began may be older than its beginning.
      this.#take(event, this.#cursor ? [] : "resync");
    });
    source.addEventListener("changes", (event) => this.#take(event, JSON.parse(event.data).traces));
    source.addEventListener("resync", (event) => this.#take(event, "resync"));
    source.addEventListener("heartbeat", () => this.#hear());
    source.addEventListener("error", () => void this.#reopen(source));
  }

  #take({ lastEventId }: MessageEvent, news: LiveUpdate) {
    this.#hear();
    this.#cursor = lastEventId;
    if (news.length > 0) for (const listener of this.#listeners) listener(news);
  }

  /** A line that went dead without a word is noticed by its silence. */
  #hear() {
    clearTimeout(this.#silence);
    const source = this.#source;
    if (source) this.#silence = setTimeout(() => void this.#reopen(source), SILENCE_MS);
  }

  async #reopen(source: EventSource) {
    if (source !== this.#source) return;
    this.#close();
    this.#become("reconnecting");
    const wait = this.#retryMs * (0.5 + Math.random());
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    this.#retry = setTimeout(() => void this.#tryAgain(), wait);
  }

  /** An EventSource does not say why it was refused: the session does. */
  async #tryAgain() {
    const isSignedOut = await api("/api/auth/session").then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 401,
    );
    if (isSignedOut) this.#become("off");
    else if (this.#users > 0 && !this.#source && !document.hidden) this.#open();
  }

  #close() {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
  }

  #become(state: LiveState) {
    if (state === this.#state) return;
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }
}

const feed = new LiveFeed();

/** Keeps the stream open while the component is there, and says how it is. */
export function useLiveState(): LiveState {
  useEffect(feed.use, []);
  return useSyncExternalStore(feed.watch, feed.getState);
}

export const isLive = () => feed.getState() === "live";

/** Calls back with what happens to the user's traces, in the order it happens. */
export function useLiveUpdates(onNews: Listener) {
  const current = useRef(onNews);
  current.current = onNews;
  useEffect(() => {
    const stop = feed.listen((news) => current.current(news));
    return () => void stop();
  }, []);
}

/** Calls back when this trace may have been stored anew. */
export function useTraceUpdated(traceId: string, onStored: () => void) {
  useLiveUpdates((news) => {
    if (news === "resync" || news.some(({ id, change }) => id === traceId && change !== "deleted"))
      onStored();
  });
}
