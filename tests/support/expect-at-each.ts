import { expect } from "vitest";
import { mapConcurrently } from "./map-concurrently.ts";

/** Checks each route, several at the same time, and names those that fail. */
export async function expectAtEach<T extends string>(
  routes: readonly T[],
  check: (route: T) => Promise<void>,
): Promise<void> {
  expect(routes).not.toEqual([]);
  const faults = await mapConcurrently(routes, (route) =>
    check(route).then(
      () => [],
      (error: unknown) => [`${route}: ${error instanceof Error ? error.message : String(error)}`],
    ),
  );
  expect(faults.flat()).toEqual([]);
}
