import type { IssueDetail } from "@whytrace/contract";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";

interface ResolveInReleaseProps {
  issue: IssueDetail;
  onResolve: (release: string) => void;
  onCancel: () => void;
}

/** Names the release that has the fix. */
export function ResolveInRelease({ issue: { lastRelease }, onResolve, onCancel }: ResolveInReleaseProps) {
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const release = new FormData(event.currentTarget).get("release");
        if (typeof release === "string") onResolve(release.trim());
      }}
    >
      <Field
        label="Release"
        name="release"
        required
        maxLength={1_000}
        autoComplete="off"
        placeholder="v2.4.0"
        hint={`A run of this release, or of one that is first seen after it, breaks the resolution. It may come later.${lastRelease === null ? "" : ` Last seen in ${lastRelease}.`}`}
      />
      <div className="flex gap-2">
        <Button type="submit" kind="primary">
          Resolve
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
