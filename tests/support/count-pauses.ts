/** Runs a generator to its end, and counts how often other work could run. */
export function countPauses<T>(steps: Generator<undefined, T>): { value: T; pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done) return { value, pauses };
  }
}
