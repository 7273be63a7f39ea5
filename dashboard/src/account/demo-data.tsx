import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Billing, isUnlimited } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../client/api.ts";
import { billingQuery } from "../client/billing-query.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/controls/button.tsx";
import { Notice } from "../ui/notice.tsx";

const MAX_TRACES = 40;
/** Left over for the user's own first traces. */
const RESERVED_TRACES = 5;
const BATCH_SIZE = 5;

/** Lets new users explore with generated traces, which count toward the plan like any others. */
export function DemoData({ apiKey, onStart }: { apiKey: string; onStart: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const billing = useQuery(billingQuery);
  // A retry sends the same traces again, so the server replaces those it has and does not count them twice.
  const [week] = useState(() => ({ seed: Math.floor(Math.random() * 2 ** 31), now: new Date() }));
  const [requestedCount, setRequestedCount] = useState<number>();
  const [sent, setSent] = useState(0);
  const load = useMutation({
    mutationFn: async (traces: number) => {
      const { demoMonth } = await import("@whytrace/demo");
      const all = [...demoMonth({ ...week, days: 7, traces })];
      for (let from = 0; from < all.length; from += BATCH_SIZE) {
        await api("/api/traces", {
          method: "POST",
          apiKey,
          body: { traces: all.slice(from, from + BATCH_SIZE) },
        });
        setSent(Math.min(all.length, from + BATCH_SIZE));
      }
    },
    onSuccess: () => navigate({ to: paths.traces }),
    onSettled: () => queryClient.invalidateQueries(),
  });
  const start = (traces: number) => {
    setRequestedCount(traces);
    setSent(0);
    onStart();
    load.mutate(traces);
  };
  if (!billing.data) return null;
  const traceCount = requestedCount ?? availableTraces(billing.data);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">Or explore with demo data</h2>
      <p className="text-muted">{traceCount > 0 ? usageText(traceCount, billing.data) : TOO_FEW_LEFT}</p>
      {load.error && <Notice tone="error">{load.error.message}</Notice>}
      {load.isPending ? (
        <p role="status" className="flex items-center gap-2 text-muted">
          <progress className="accent-accent" max={traceCount} value={sent} aria-label="Demo traces sent" />
          {sent} of {traceCount} traces
        </p>
      ) : (
        traceCount > 0 && (
          <div>
            <Button onClick={() => start(traceCount)}>{load.error ? "Try again" : "Load demo data"}</Button>
          </div>
        )
      )}
    </li>
  );
}

const TOO_FEW_LEFT = "Your plan has too few traces left for demo data.";

const availableTraces = ({ sessionsLimit, sessionsUsed }: Billing) =>
  Math.min(MAX_TRACES, sessionsLimit - sessionsUsed - RESERVED_TRACES);

const usageText = (traces: number, { sessionsLimit, period }: Billing) =>
  `A week of sample agent activity: ${traces} traces. They count toward your plan` +
  (isUnlimited(sessionsLimit)
    ? ", which has no limit."
    : ` of ${sessionsLimit.toLocaleString("en")} traces per ${period}.`);
