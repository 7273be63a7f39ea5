import { activeClient } from "./global-state.ts";
import { describeError } from "./to-json.ts";

/** Watching must never be what breaks a call. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    activeClient().report("internal", describeError(cause), { cause });
    return undefined;
  }
}
