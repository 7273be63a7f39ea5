import type { Cursor } from "./cursor.ts";
import { encodeEvent } from "./event-stream.ts";
import type { Change } from "./read-changes.ts";

/** The longest list of traces in one event. A change is shorter. */
const MAX_EVENT_LENGTH = 65_536;

/** Changes as events, in order. Changes without a trace are left out. */
export function encodeChanges(changes: readonly Change[]): Buffer[] {
  const events: Buffer[] = [];
  let lists: string[] = [];
  let length = 0;
  let last: Cursor | undefined;
  const flush = () => {
    if (last) events.push(encodeEvent("changes", `{"traces":[${lists.join(",")}]}`, last));
    lists = [];
    length = 0;
  };
  for (const change of changes) {
    // The inside of the array.
    const list = change.traces?.slice(1, -1).trim() ?? "";
    if (list === "") continue;
    if (length + list.length > MAX_EVENT_LENGTH) flush();
    lists.push(list);
    length += list.length + 1;
    last = change;
  }
  flush();
  return events;
}
