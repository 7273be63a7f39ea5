const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** One Ctrl-C can arrive twice: from the terminal, and forwarded by npx. */
const DUPLICATE_WINDOW_MS = 1_000;

/** Resolves at the first signal, for a graceful stop; a second one exits immediately. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > DUPLICATE_WINDOW_MS) process.exit(1);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
