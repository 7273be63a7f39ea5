import type { TraceChange } from "@whytrace/contract";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError, api } from "./api.ts";
import { apiUrl, isSample } from "./base-path.ts";

/** `resync`: changes may have been missed, so everything must be fetched again. */
export type LiveUpdate = readonly TraceChange[] | "resync";
export type LiveState = "connecting" | "live" | "reconnecting" | "off";

type Listener = (update: LiveUpdate) => void;

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** The server sends a heartbeat every 15 s. */
const SILENCE_TIMEOUT_MS = 40_000;
/** Browsers open at most six HTTP/1.1 connections per server, so hidden tabs must release theirs. */
const HIDDEN_TIMEOUT_MS = 10_000;
/** A page requests its data some time before it listens. Data older than this is requested again when the page opens. */
const RECENT_MS = 15_000;

/**
 * The page's only event stream, shared by all components. It opens when the first one needs it and, after a lost
 * connection, resumes from its cursor, so listeners miss no change.
 */
class LiveFeed {
  readonly #listeners = new Set<Listener>();
  #recent: { update: LiveUpdate; receivedAtMs: number }[] = [];
  readonly #stateListeners = new Set<() => void>();
  readonly #issueListeners = new Set<() => void>();
  #state: LiveState = "connecting";
  #holders = 0;
  #source: EventSource | undefined;
  #cursor = "";
  #retryMs = MIN_RETRY_MS;
  #retryTimer = 0;
  #silenceTimer = 0;
  #hiddenTimer = 0;

  readonly getState = () => this.#state;

  readonly subscribeToState = (listener: () => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  /** Calls back with what changed lately, too: the data of a page that opens may be from before that. */
  readonly subscribe = (listener: Listener) => {
    this.#forgetOld();
    for (const { update } of this.#recent) listener(update);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly subscribeToIssues = (listener: () => void) => {
    this.#issueListeners.add(listener);
    return () => this.#issueListeners.delete(listener);
  };

  /** Keeps the stream open until the returned function is called. */
  readonly acquire = () => {
    // The sample does not change while somebody looks at it.
    if (isSample) return () => {};
    this.#holders += 1;
    if (this.#holders === 1) {
      document.addEventListener("visibilitychange", this.#onVisibilityChange);
      this.#onVisibilityChange();
    }
    return () => {
      this.#holders -= 1;
      if (this.#holders > 0) return;
      document.removeEventListener("visibilitychange", this.#onVisibilityChange);
      this.#close();
      // A different account may sign in before the stream opens again.
      this.#cursor = "";
      this.#recent = [];
      this.#setState("connecting");
    };
  };

  readonly #onVisibilityChange = () => {
    clearTimeout(this.#hiddenTimer);
    if (document.hidden) this.#hiddenTimer = setTimeout(() => this.#close(), HIDDEN_TIMEOUT_MS);
    else if (!this.#source) this.#open();
  };

  #open() {
    this.#close();
    const source = new EventSource(apiUrl(`/api/stream${this.#cursor && `?cursor=${this.#cursor}`}`));
    this.#source = source;
    this.#restartSilenceTimer();
    source.addEventListener("ready", (event) => {
      this.#retryMs = MIN_RETRY_MS;
      this.#setState("live");
      // Data fetched before the stream started may already be outdated.
      this.#receive(event, this.#cursor ? [] : "resync");
    });
    source.addEventListener("changes", (event) => this.#receive(event, JSON.parse(event.data).traces));
    source.addEventListener("resync", (event) => this.#receive(event, "resync"));
    source.addEventListener("issues", () => {
      for (const listener of this.#issueListeners) listener();
    });
    source.addEventListener("heartbeat", () => this.#restartSilenceTimer());
    source.addEventListener("error", () => this.#scheduleReconnect(source));
  }

  #receive({ lastEventId }: MessageEvent, update: LiveUpdate) {
    this.#restartSilenceTimer();
    this.#cursor = lastEventId;
    if (update.length === 0) return;
    this.#forgetOld();
    this.#recent.push({ update, receivedAtMs: Date.now() });
    for (const listener of this.#listeners) listener(update);
  }

  #forgetOld() {
    const sinceMs = Date.now() - RECENT_MS;
    this.#recent = this.#recent.filter(({ receivedAtMs }) => receivedAtMs >= sinceMs);
  }

  /** Detects a connection that died without an error event. */
  #restartSilenceTimer() {
    clearTimeout(this.#silenceTimer);
    const source = this.#source;
    if (source) this.#silenceTimer = setTimeout(() => this.#scheduleReconnect(source), SILENCE_TIMEOUT_MS);
  }

  #scheduleReconnect(source: EventSource) {
    if (source !== this.#source) return;
    this.#close();
    this.#setState("reconnecting");
    const delayMs = this.#retryMs * (0.5 + Math.random());
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    this.#retryTimer = setTimeout(() => void this.#reconnect(), delayMs);
  }

  /** An EventSource does not expose the response status, so a separate request checks for a sign-out. */
  async #reconnect() {
    const isSignedOut = await api("GET /api/auth/session").then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 401,
    );
    if (isSignedOut) this.#setState("off");
    else if (this.#holders > 0 && !this.#source && !document.hidden) this.#open();
  }

  #close() {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
  }

  #setState(state: LiveState) {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}

const feed = new LiveFeed();

/** Keeps the stream open while the component is mounted and returns its state. */
export function useLiveState(): LiveState {
  useEffect(feed.acquire, []);
  return useSyncExternalStore(feed.subscribeToState, feed.getState);
}

export const isLive = () => feed.getState() === "live";

/** Calls back with changes to the user's traces, in order; those of the last seconds first. */
export function useLiveUpdates(onUpdate: Listener) {
  const current = useRef(onUpdate);
  current.current = onUpdate;
  useEffect(() => {
    const unsubscribe = feed.subscribe((update) => current.current(update));
    return () => void unsubscribe();
  }, []);
}

/** Calls back when an issue has changed. */
export function useIssuesChanged(onChanged: () => void) {
  const current = useRef(onChanged);
  current.current = onChanged;
  useEffect(() => {
    const unsubscribe = feed.subscribeToIssues(() => current.current());
    return () => void unsubscribe();
  }, []);
}

/** Calls back when this trace may have changed. */
export function useTraceUpdated(traceId: string, onUpdated: () => void) {
  useLiveUpdates((update) => {
    if (update === "resync" || update.some(({ id, change }) => id === traceId && change !== "deleted"))
      onUpdated();
  });
}
