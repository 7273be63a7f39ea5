import { MAX_VERDICT_NOTE_LENGTH } from "@whytrace/contract";
import { type FormEvent, useState } from "react";
import { inputStyle } from "../ui/controls/field.tsx";

/** A note to a verdict. The Enter key saves it. */
export function VerdictNote({ note, onSave }: { note: string | null; onSave: (note: string) => void }) {
  const [draft, setDraft] = useState<string>();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (draft === undefined) return;
    onSave(draft.trim());
    setDraft(undefined);
  };
  return (
    <form onSubmit={onSubmit}>
      <input
        aria-label="Note to the verdict"
        placeholder="Add a note, ↵ saves"
        enterKeyHint="done"
        maxLength={MAX_VERDICT_NOTE_LENGTH}
        className={inputStyle}
        value={draft ?? note ?? ""}
        onChange={(event) => setDraft(event.target.value)}
      />
    </form>
  );
}
