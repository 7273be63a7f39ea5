import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Billing } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../client/api.ts";
import { billingQuery } from "../client/billing-query.ts";
import { paths } from "../client/paths.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

const MOST = 40;
/** Kept for the person's own first traces. */
const LEFT_FOR_OWN = 5;
const AT_ONCE = 5;

/** Somebody with nothing to send yet can look around with made-up runs. They count like any other. */
export function DemoData({ apiKey, onStart }: { apiKey: string; onStart: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const billing = useQuery(billingQuery);
  // The same traces again after an error: those that had arrived are replaced and not counted twice.
  const [week] = useState(() => ({ seed: Math.floor(Math.random() * 2 ** 31), now: new Date() }));
  const [count, setCount] = useState<number>();
  const [sent, setSent] = useState(0);
  const load = useMutation({
    mutationFn: async (traces: number) => {
      const { demoWeek } = await import("@whytrace/demo");
      const all = [...demoWeek({ ...week, traces })];
      for (let from = 0; from < all.length; from += AT_ONCE) {
        await api("/api/traces", {
          method: "POST",
          apiKey,
          body: { traces: all.slice(from, from + AT_ONCE) },
        });
        setSent(Math.min(all.length, from + AT_ONCE));
      }
    },
    onSuccess: () => navigate({ to: paths.traces }),
    onSettled: () => queryClient.invalidateQueries(),
  });
  const start = (traces: number) => {
    setCount(traces);
    setSent(0);
    onStart();
    load.mutate(traces);
  };
  if (!billing.data) return null;
  const affordable = count ?? affordableOf(billing.data);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">Or look around with demo data</h2>
      <p className="text-muted">{affordable > 0 ? costText(affordable, billing.data) : NOTHING_LEFT}</p>
      {load.error && <Notice tone="error">{load.error.message}</Notice>}
      {load.isPending ? (
        <p role="status" className="flex items-center gap-2 text-muted">
          <progress className="accent-accent" max={affordable} value={sent} aria-label="Demo traces sent" />
          {sent} of {affordable} traces
        </p>
      ) : (
        affordable > 0 && (
          <div>
            <Button onClick={() => start(affordable)}>{load.error ? "Try again" : "Load demo data"}</Button>
          </div>
        )
      )}
    </li>
  );
}

const NOTHING_LEFT = "Your plan has too few traces left for it now. The rest is kept for your own.";

const affordableOf = ({ sessionsLimit, sessionsUsed }: Billing) =>
  Math.min(MOST, sessionsLimit - sessionsUsed - LEFT_FOR_OWN);

const costText = (traces: number, { sessionsLimit, period }: Billing) =>
  `A week of made-up agents: ${traces} traces. They count for your plan` +
  (sessionsLimit > 1_000_000
    ? ", which has no limit."
    : ` of ${sessionsLimit.toLocaleString("en")} a ${period}.`);
