/** Works on several items at the same time, and returns the results in their order. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  maxConcurrent = 16,
): Promise<R[]> {
  const results: R[] = [];
  const remaining = items.entries();
  const run = async () => {
    for (const [index, item] of remaining) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: maxConcurrent }, run));
  return results;
}
