import type { Json } from "@whytrace/contract";
import type { SimulatedRun } from "../simulated-run.ts";
import { SUPPORT_SYSTEM } from "./support.ts";

interface FailedCall {
  tool: string;
  input: { order: string };
  isOutage: boolean;
  isRefunded: boolean;
}

interface Failure {
  short: string;
  error: string;
  /** How often a second attempt works. */
  recoveryRate: number;
}

/** Simulates what follows a failed call. Returns whether a retry worked: giving up never does. */
export function retryThenEscalate(run: SimulatedRun, call: FailedCall): boolean {
  const { tool, input } = call;
  const { short, error, recoveryRate } = failureOf(run, call);
  fail(run, call, { short, error, attempt: 1 });
  const isRetried = run.random.chance(0.68);
  run.decideAmong("RETRY", ["same arguments", "give up"], {
    chosen: isRetried ? "same arguments" : "give up",
    reasoning: isRetried
      ? `${short} may be transient while the ledger settles.`
      : `${short} does not go away by trying again.`,
    context: { attempt: 1, error: short, backoffMs: 400 },
  });
  if (isRetried) {
    run.wait(400);
    run.event("RETRY", `${tool} again`, { attempt: 2 });
    if (run.random.chance(recoveryRate)) return true;
    fail(run, call, { short, error, attempt: 2 });
  }
  run.llm("claude: read error", {
    model: "sonnet",
    system: SUPPORT_SYSTEM,
    turns: [{ role: "user", content: `The tool ${tool} answered: ${error}` }],
    reply: `The refund of ${input.order} did not go through (${short}). Trying again would not help; a person has to look at the ledger.`,
    hiddenTokens: 3_000,
  });
  escalate(run, { short, order: input.order, attempts: isRetried ? 2 : 1 });
  run.fail(`refund not settled: ${error}`);
  return false;
}

function failureOf(run: SimulatedRun, { tool, input, isOutage, isRefunded }: FailedCall): Failure {
  if (tool === "ask_human")
    return { short: "nobody answered", error: "HandoffError: nobody accepted the ticket", recoveryRate: 0.5 };
  if (tool === "lookup_policy")
    return { short: "policy moved", error: "HTTP 404 Not Found: policies/refund-eu", recoveryRate: 0.5 };
  if (isRefunded)
    return {
      short: "409 already refunded",
      error: `HTTP 409 Conflict: order ${input.order} was already refunded`,
      recoveryRate: 0,
    };
  return isOutage || run.random.chance(0.75)
    ? {
        short: "504 from ledger",
        error: "HTTP 504 Gateway Timeout: upstream ledger.internal did not answer within 2000 ms",
        recoveryRate: isOutage ? 0.1 : 0.7,
      }
    : {
        short: "card network refused",
        error: "PaymentError: card network declined the reversal (code 57, do not retry)",
        recoveryRate: 0,
      };
}

interface Attempt {
  short: string;
  error: string;
  attempt: number;
}

function fail(run: SimulatedRun, { tool, input }: FailedCall, { short, error, attempt }: Attempt): void {
  const sent: Json = input;
  run.step("TOOL_CALL", tool, { input: sent, ms: 2_200, error });
  run.event("ERROR", short, { tool, attempt });
}

function escalate(run: SimulatedRun, failed: { short: string; order: string; attempts: number }): void {
  const { short, order, attempts } = failed;
  const isEscalated = run.random.chance(0.8);
  run.decideAmong("ESCALATION", ["ask_human", "tell the customer to wait", "retry"], {
    chosen: isEscalated ? "ask_human" : "tell the customer to wait",
    reasoning: isEscalated
      ? "Two identical failures in a row; a third attempt cannot succeed because the order is already refunded."
      : "Nobody is on shift until the morning, and the ledger usually settles overnight.",
    context: { attempts, error: short, onShift: isEscalated },
  });
  if (isEscalated)
    run.step("TOOL_CALL", "ask_human", {
      input: { queue: "refunds", summary: `${order}: ${short}` },
      output: { ticket: `T-${run.random.between(20_000, 29_999)}`, queue: "refunds" },
      ms: 520,
    });
}
