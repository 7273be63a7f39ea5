import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { MaskingJob } from "@whytrace/contract/schemas/masking/settings";
import { useState } from "react";
import { api } from "../client/api.ts";
import { maskingQuery } from "../client/masking-query.ts";
import { SettingsSection } from "../settings/settings-layout.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { ErrorNotice } from "../ui/notice.tsx";

const numberOf = (count: number) => count.toLocaleString("en");

/** Applies the saved rules to what is stored, and tells how far that is. */
export function ApplySection({ job, version }: { job: MaskingJob | null; version: number }) {
  const queryClient = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const change = useMutation({
    mutationFn: (method: "POST" | "DELETE") => api("/api/masking/apply", { method }),
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

function JobLine({ job, version }: { job: MaskingJob; version: number }) {
  const { status, done, total, changed } = job;
  const something = `Something was masked in ${numberOf(changed)}.`;
  if (status === "running")
    return (
      <p>
        {numberOf(done)} of {numberOf(total)} traces. {something}
      </p>
    );
  const end = status === "done" ? "The rules were applied to all traces." : "It was stopped.";
  return (
    <p className="text-muted">
      {end} {something}
      {job.version !== version && " The rules have changed since."}
    </p>
  );
}
