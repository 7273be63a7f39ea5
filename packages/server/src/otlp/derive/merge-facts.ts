import { laterName, laterStatus, laterTimes, laterType } from "../../trace-store/merge/span-versions.ts";
import type { SpanFacts } from "../map/span-facts.ts";

/** The facts of a span that was sent again. What the later version leaves out stays, as in its row. */
export function mergeFacts(former: SpanFacts, later: SpanFacts): SpanFacts {
  return {
    ...former,
    ...later,
    ...laterTimes(former, later),
    name: laterName(former.name, later.name),
    type: laterType(former.type, later.type),
    status: laterStatus(former.status, later.status),
    ...(former.usage && { usage: { ...former.usage, ...later.usage } }),
  };
}
