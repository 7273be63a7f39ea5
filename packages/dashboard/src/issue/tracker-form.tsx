import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IssueDetail } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";

/** Links the issue of a tracker, or removes the link. */
export function TrackerForm({
  issue: { number, externalUrl },
  onDone,
}: {
  issue: IssueDetail;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (url: string | null) =>
      api("PATCH /api/issues/:number", { params: { number }, body: { externalUrl: url } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [ISSUES_KEY] });
      onDone();
    },
  });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const url = new FormData(event.currentTarget).get("url");
        if (typeof url === "string") save.mutate(url.trim());
      }}
    >
      <Field
        label="Address of the issue in your tracker"
        name="url"
        type="url"
        required
        maxLength={2_000}
        defaultValue={externalUrl ?? ""}
        placeholder="https://"
      />
      {save.error && <ErrorNotice error={save.error} />}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={save.isPending}>
          Save
        </Button>
        {externalUrl !== null && (
          <Button kind="danger" disabled={save.isPending} onClick={() => save.mutate(null)}>
            Remove the link
          </Button>
        )}
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
