const INTERVAL_MS = 50;

/**
 * Measures for how long, at most, this process did not handle events; ends with the call of the returned function. Unlike
 * node:perf_hooks, it includes the first delay after the start.
 */
export function measureEventLoopDelay(): () => number {
  let last = performance.now();
  let maxMs = 0;
  const measure = () => {
    const now = performance.now();
    maxMs = Math.max(maxMs, now - last - INTERVAL_MS);
    last = now;
  };
  const timer = setInterval(measure, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    measure();
    return maxMs;
  };
}
