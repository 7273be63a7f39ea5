import type { WholeTrace } from "@whytrace/contract";

/** A trace as it is sent: what the server adds (owner, time of creation) is not there yet. */
export type DemoTrace = Omit<WholeTrace, "userId" | "createdAt">;
