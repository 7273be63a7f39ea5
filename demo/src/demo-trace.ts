import type { WholeTrace } from "@whytrace/contract";

/** A trace as it is sent, without the fields that the server adds. */
export type DemoTrace = Omit<WholeTrace, "userId" | "createdAt">;
