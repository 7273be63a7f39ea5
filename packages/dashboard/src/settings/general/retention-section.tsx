import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ChosenRetention, Retention } from "@whytrace/contract";
import { type FormEvent, useId, useState } from "react";
import { api } from "../../client/api.ts";
import { retentionQuery } from "../../client/retention-query.ts";
import { useRoleRefusal } from "../../client/use-role.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { inputStyle } from "../../ui/controls/field.tsx";
import { formatDate } from "../../ui/format/format.ts";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { formatRetentionDays } from "../format-retention-days.ts";
import { SettingsSection } from "../settings-layout.tsx";
import { ConfirmRetention } from "./confirm-retention.tsx";

const CHOICES = [7, 14, 30, 60, 90, 180, 365, 730];
/** The value of the option without a number of days. */
const LONGEST = "longest";

/** Choose for how many days traces are kept. A choice that may delete traces has to be confirmed. */
export function RetentionSection() {
  const retention = useQuery(retentionQuery);
  return (
    <SettingsSection title="Retention">
      <QueryResult query={retention} skeleton={<RetentionSkeleton />}>
        {(data) => <RetentionForm retention={data} />}
      </QueryResult>
    </SettingsSection>
  );
}

function RetentionSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid h-40 animate-[fade-in_0s_150ms_both] content-start gap-6 max-sm:h-50"
    >
      <SkeletonBar className="w-2/3" />
      <SkeletonBar className="w-64" />
    </div>
  );
}

function RetentionForm({ retention }: { retention: Retention }) {
  const id = useId();
  const isAdmin = useRoleRefusal("admin") === undefined;
  const queryClient = useQueryClient();
  const [value, setValue] = useState<string | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const { days, chosenDays, maxDays, planned } = retention;
  const saved = chosenDays === null ? LONGEST : String(chosenDays);
  const selected = value ?? saved;
  const selectedDays = selected === LONGEST ? null : Number(selected);
  const save = useMutation({
    mutationFn: () =>
      api("PUT /api/workspace/retention", { body: { days: selectedDays } satisfies ChosenRetention }),
    onSuccess: (next) => {
      queryClient.setQueryData(retentionQuery.queryKey, next);
      setValue(null);
      setIsConfirming(false);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.reset();
    // Fewer days than now delete traces.
    if (selectedDays !== null && selectedDays < (days ?? Number.POSITIVE_INFINITY)) setIsConfirming(true);
    else save.mutate();
  };
  const choices = new Set([...CHOICES, ...(chosenDays === null ? [] : [chosenDays])]);
  const offered = [...choices].filter((one) => maxDays === null || one < maxDays || one === chosenDays);
  return (
    <>
      <p className="text-muted">
        {days === null
          ? "Traces are kept for ever."
          : `Traces are kept for ${formatRetentionDays(days)} from their start, or from when they were stored if that was later. Then they are deleted permanently.`}
      </p>
      {planned && (
        <Notice tone="retry">
          The plan has changed. From {formatDate(Date.parse(planned.from))} on, traces are kept for{" "}
          {formatRetentionDays(planned.days)}.
        </Notice>
      )}
      {isAdmin ? (
        <form onSubmit={submit} className="grid max-w-sm gap-4">
          <div className="grid gap-1.5">
            <label htmlFor={id} className="font-medium">
              Keep traces for
            </label>
            <select
              id={id}
              className={inputStyle}
              value={selected}
              onChange={(event) => {
                save.reset();
                setValue(event.currentTarget.value);
              }}
            >
              {offered
                .sort((a, b) => a - b)
                .map((one) => (
                  <option key={one} value={one}>
                    {formatRetentionDays(one)}
                  </option>
                ))}
              <option value={LONGEST}>
                {maxDays === null
                  ? "For ever"
                  : `${formatRetentionDays(maxDays)}, the most that the plan allows`}
              </option>
            </select>
          </div>
          {save.isSuccess && <Notice tone="completed">Saved.</Notice>}
          {save.error && !isConfirming && <ErrorNotice error={save.error} />}
          <Button
            type="submit"
            kind="primary"
            className="sm:justify-self-start"
            disabled={selected === saved || save.isPending}
          >
            Save retention
          </Button>
        </form>
      ) : (
        <RoleNote needed="admin" act="Changing it" />
      )}
      <Dialog
        title={`Keep traces for only ${formatRetentionDays(selectedDays ?? 0)}?`}
        isOpen={isConfirming}
        onClose={() => setIsConfirming(false)}
      >
        {selectedDays !== null && (
          <ConfirmRetention
            days={selectedDays}
            isPending={save.isPending}
            error={save.error}
            onConfirm={() => save.mutate()}
            onCancel={() => setIsConfirming(false)}
          />
        )}
      </Dialog>
    </>
  );
}
