/** The part of Node.js's `process` that the hooks use. Bun and Deno provide it, too. */
interface Process {
  pid: number;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

export interface ExitHandlers {
  /** The event loop is empty. Asynchronous work started here still runs. */
  onIdle(): void;
  /** The process is ended by the signal only after the promise has resolved. */
  onSignal(signal: string): Promise<void>;
  onUncaught(error: unknown): void;
  /** Asynchronous work started here never runs. */
  onExit(): void;
}

const SIGNALS = ["SIGTERM", "SIGINT"];

/**
 * Observes how the process ends without changing it: an uncaught error still ends the process, and a signal without
 * another listener is raised again after `onSignal`. Returns a function that removes the hooks.
 */
export function installExitHooks(handlers: ExitHandlers): () => void {
  const { process: node } = globalThis as { process?: Partial<Process> };
  if (typeof node?.on !== "function" || typeof node.off !== "function") return () => {};
  const { pid = 0 } = node;
  const listeners: [string, (value: unknown) => void][] = [
    ["beforeExit", () => handlers.onIdle()],
    ["uncaughtExceptionMonitor", (error: unknown) => handlers.onUncaught(error)],
    ["exit", () => handlers.onExit()],
  ];
  for (const signal of SIGNALS) {
    const listener = () => {
      const isOnlyListener = node.listenerCount?.(signal) === 1;
      void handlers.onSignal(signal).finally(() => {
        if (!isOnlyListener) return;
        node.off?.(signal, listener);
        node.kill?.(pid, signal);
      });
    };
    listeners.push([signal, listener]);
  }
  for (const [event, listener] of listeners)
    try {
      node.on(event, listener);
    } catch {
      // Some runtimes implement `process.on` but not every signal.
    }
  return () => {
    for (const [event, listener] of listeners) node.off?.(event, listener);
  };
}
