import type { SentTrace } from "@whytrace/contract";

export type DemoTrace = SentTrace;
