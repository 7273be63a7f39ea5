/** The part of Node.js's `process` that the hooks use. Bun and Deno provide it, too. */
interface Process {
  pid: number;
  on(event: string, listener: Listener): unknown;
  prependListener(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}
type Listener = (value: unknown) => void;

export interface ExitHandlers {
  /** The event loop is empty. Asynchronous work started here still runs. */
  onIdle(): void;
  /** The program handles a signal itself. It may go on for a while, for example to finish its work. */
  onSignal(): void;
  /** Nothing else handles the signal, which ends the process after the promise has resolved. */
  onEndingSignal(signal: string): Promise<unknown>;
  onUncaught(error: unknown): void;
  /** Asynchronous work started here never runs. */
  onExit(): void;
}

/* All clients of a process share one listener per event, even if the process loads the package twice. */
const KEY = Symbol.for("@whytrace/sdk 0.1 exit hooks");
const holder = globalThis as { [KEY]?: { handlers: Set<ExitHandlers>; remove: () => void } };

/** Observes how the process ends without changing it. Returns a function that removes the handlers. */
export function installExitHooks(added: ExitHandlers): () => void {
  if (!holder[KEY]) {
    const handlers = new Set<ExitHandlers>();
    holder[KEY] = { handlers, remove: listen(handlers) };
  }
  const { handlers, remove } = holder[KEY];
  handlers.add(added);
  return () => {
    if (!handlers.delete(added) || handlers.size > 0) return;
    delete holder[KEY];
    remove();
  };
}

function listen(handlers: Set<ExitHandlers>): () => void {
  const { process: given } = globalThis as { process?: Partial<Process> };
  if (!given?.prependListener || !given.off) return () => {};
  const node = given as Process;
  const callAll = <T>(call: (one: ExitHandlers) => T) => [...handlers].map(call);
  /** Signals whose listener is removed while the program's listeners run. */
  const hidden = new Set<string>();
  const restore = (signal: string) => {
    if (hidden.delete(signal)) add(signal);
  };

  /*
   * Libraries such as signal-exit end the process, by raising the signal again, only if no other listener handles it.
   * So this listener, the first, removes itself before the others run, and they see what they would see without it. It
   * is back after they have run, or as soon as they have all removed themselves: then it receives what they raise.
   */
  const onSignal = (signal: string) => {
    const isHandled = node.listenerCount(signal) > 1;
    if (isHandled) hidden.add(signal);
    node.off(signal, listeners[signal] as Listener);
    if (isHandled) {
      callAll((one) => one.onSignal());
      queueMicrotask(() => restore(signal));
    } else {
      const raise = () => node.kill(node.pid, signal);
      void Promise.all(callAll((one) => one.onEndingSignal(signal))).then(raise, raise);
    }
  };

  const listeners: Record<string, Listener> = {
    removeListener: (event) => {
      if (node.listenerCount(String(event)) === 0) restore(String(event));
    },
    beforeExit: () => callAll((one) => one.onIdle()),
    uncaughtExceptionMonitor: (error) => callAll((one) => one.onUncaught(error)),
    exit: () => callAll((one) => one.onExit()),
    SIGTERM: () => onSignal("SIGTERM"),
    SIGINT: () => onSignal("SIGINT"),
  };
  const add = (event: string) => {
    try {
      node.prependListener(event, listeners[event] as Listener);
    } catch {
      // Some runtimes implement `process.on` but not every signal.
    }
  };
  for (const event of Object.keys(listeners)) add(event);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) node.off(event, listener);
  };
}
