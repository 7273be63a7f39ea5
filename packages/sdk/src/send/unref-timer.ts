/** Starts a timer that does not keep the process alive. Returns a function that cancels it. */
export function startUnrefTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, Math.min(Math.max(0, delayMs), 2 ** 31 - 1));
  // In browsers, a timer is a number.
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer);
}
