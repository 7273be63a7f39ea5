const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** One Ctrl-C may arrive twice: from the terminal, and passed on by npx. */
const SAME_MS = 1_000;

/** Resolves at the first signal, which asks to stop; a later one does not wait for that. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > SAME_MS) process.exit(1);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
