/**
 * Starts to measure and returns a function for the milliseconds in which the calling thread has worked since then. The time
 * in which it waited, or in which other programs ran in its place, does not count.
 */
export function startCpuStopwatch(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}
