/** Starts a timer that does not keep the process alive. Returns a function that cancels it. */
export function startUnrefTimer(run: () => void, delayMs: number): () => void {
  const timer: unknown = setTimeout(run, Math.min(Math.max(0, delayMs), 2 ** 31 - 1));
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}
