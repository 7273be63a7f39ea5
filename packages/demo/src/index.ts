export { DEMO_STORY, demoMonth } from "./demo-month.ts";
export { demoRefund } from "./demo-refund.ts";
export { type DemoScore, demoScores } from "./demo-scores.ts";
export type { DemoTrace } from "./demo-trace.ts";
export { hugeTrace } from "./huge-trace.ts";
export { Random } from "./random.ts";
