import { activeClient } from "./global-state.ts";
import { describeError } from "./send/to-json.ts";

/** Runs `work` and reports an error to the active client instead of throwing it: recording must not break a call. */
export function reportErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    activeClient().report("internal", describeError(cause), undefined, cause);
    return undefined;
  }
}
