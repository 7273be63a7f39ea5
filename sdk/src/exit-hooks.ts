/** What of Node.js's process is needed here; Bun and Deno have it, too. */
interface Process {
  pid: number;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

export interface ExitWork {
  /** The event loop has run dry: there is time to send. */
  onIdle(): void;
  /** Resolves when what could be sent has been, within its bound. */
  onSignal(signal: string): Promise<void>;
  onUncaught(error: unknown): void;
  /** The last moment; nothing asynchronous runs any more. */
  onExit(): void;
}

const SIGNALS = ["SIGTERM", "SIGINT"];

/**
 * Listens to the end of the process without changing it: an error that nobody caught still ends it, and a signal that
 * nobody else handles is raised again once everything is sent.
 */
export function installExitHooks(work: ExitWork): () => void {
  const { process: node } = globalThis as { process?: Partial<Process> };
  if (typeof node?.on !== "function" || typeof node.off !== "function") return () => {};
  const { pid = 0 } = node;
  const listeners: [string, (value: unknown) => void][] = [
    ["beforeExit", () => work.onIdle()],
    ["uncaughtExceptionMonitor", (error: unknown) => work.onUncaught(error)],
    ["exit", () => work.onExit()],
  ];
  for (const signal of SIGNALS) {
    const listener = () => {
      const isAlone = node.listenerCount?.(signal) === 1;
      void work.onSignal(signal).finally(() => {
        if (!isAlone) return;
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
      // Some runtimes know `process.on` and not every signal.
    }
  return () => {
    for (const [event, listener] of listeners) node.off?.(event, listener);
  };
}
