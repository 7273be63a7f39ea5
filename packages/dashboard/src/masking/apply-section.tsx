import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { MaskingJob } from "@whytrace/contract/schemas/masking/settings";
import { useState } from "react";
import { api } from "../client/api.ts";
import { maskingQuery } from "../client/masking-query.ts";
import { SettingsSection } from "../settings/settings-layout.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { howMuchWords } from "./how-much-words.ts";

const numberOf = (count: number) => count.toLocaleString("en");

/** Applies the saved rules to what is stored, and tells how far that is. */
export function ApplySection({ job, version }: { job: MaskingJob | null; version: number }) {
  const queryClient = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const change = useMutation({
    mutationFn: (method: "POST" | "DELETE") =>
      method === "POST" ? api("POST /api/masking/apply") : api("DELETE /api/masking/apply"),
    onSettled: () => queryClient.invalidateQueries({ queryKey: maskingQuery.queryKey }),
  });
  const isRunning = job?.status === "running";
  return (
    <SettingsSection title="Stored traces">
      <p className="text-muted">
        Apply the saved level and rules to the traces that are stored. This cannot be undone.
      </p>
      {change.error && <ErrorNotice error={change.error} />}
      <div role="status" className="grid gap-2">
        {job && <JobLine job={job} version={version} />}
      </div>
      {isRunning && (
        <progress
          aria-label="Applying rules"
          value={job.done}
          max={Math.max(1, job.total, job.done)}
          className="h-2 w-full accent-accent"
        />
      )}
      {isRunning ? (
        <Button
          className="justify-self-start"
          disabled={change.isPending}
          onClick={() => change.mutate("DELETE")}
        >
          Stop
        </Button>
      ) : (
        <Button
          className="justify-self-start"
          disabled={change.isPending}
          onClick={() => setIsConfirming(true)}
        >
          Apply to stored traces
        </Button>
      )}
      <Dialog title="Apply to stored traces?" isOpen={isConfirming} onClose={() => setIsConfirming(false)}>
        <p>
          Values that the rules match are removed from all stored traces, scores and notes. Nobody can bring
          them back. Options and errors whose text changes count as others from then on.
        </p>
        <HowMuch job={job} />
        <div className="flex gap-2">
          <Button
            kind="danger"
            onClick={() => {
              setIsConfirming(false);
              change.mutate("POST");
            }}
          >
            Apply
          </Button>
          <Button onClick={() => setIsConfirming(false)}>Cancel</Button>
        </div>
      </Dialog>
    </SettingsSection>
  );
}

/** How many traces that are, and about how long it takes. */
function HowMuch({ job }: { job: MaskingJob | null }) {
  const { data, error } = useQuery({
    queryKey: ["traces", "stored"],
    queryFn: ({ signal }) => api("GET /api/traces", { query: { limit: 1 }, signal }),
  });
  if (error) return <p className="text-muted">The stored traces could not be counted.</p>;
  return (
    <p className="text-muted" role="status">
      {data ? howMuchWords(data.total, job) : "Counting the stored traces…"}
    </p>
  );
}

function JobLine({ job, version }: { job: MaskingJob; version: number }) {
  const { status, done, total, changed, leftOut } = job;
  const something = `Something was masked in ${numberOf(changed)}.`;
  if (status === "running")
    return (
      <p>
        {numberOf(done)} of {numberOf(total)} traces. {something}
      </p>
    );
  const end =
    status === "stopped"
      ? "It was stopped."
      : `The rules were applied to ${leftOut > 0 ? numberOf(done - leftOut) : "all"} traces.`;
  return (
    <p className="text-muted">
      {end} {something}
      {leftOut > 0 &&
        ` ${numberOf(leftOut)} could not be checked in time and ${leftOut === 1 ? "stays as it was" : "stay as they were"}: make your patterns faster and apply again.`}
      {job.version !== version && " The rules have changed since."}
    </p>
  );
}
