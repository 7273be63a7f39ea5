import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { parseScoreValue } from "../../scores/parse-score-value.ts";
import { scoreNamesQuery } from "../../scores/scores-query.ts";
import { giveScore } from "../../scores/send-scores.ts";
import { Kbd } from "../../ui/badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { inputStyle } from "../../ui/controls/field.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import type { TreeNode } from "../model/trace-tree.ts";
import { nodeName } from "./score-place.tsx";

/** In characters, which have at least one byte each. */
const MAX_LENGTH = 200;

interface AddScoreProps {
  traceId: string;
  /** The row that is judged; null: the run. */
  selected: TreeNode | null;
  /** Called when it is stored, and until the list has it. */
  onAdded: () => Promise<unknown>;
}

/** Judges the selected row, or the run. */
export function AddScore({ traceId, selected, onAdded }: AddScoreProps) {
  const id = useId();
  const nameField = useRef<HTMLInputElement>(null);
  const names = useQuery(scoreNamesQuery);
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const value = parseScoreValue(text);
  const add = useMutation({
    mutationFn: giveScore,
    onSuccess: async () => {
      await onAdded();
      setName("");
      setText("");
      nameField.current?.focus();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (value === undefined || name.trim() === "" || add.isPending) return;
    const place =
      selected === null
        ? {}
        : selected.kind === "span"
          ? { spanId: selected.span.id }
          : { decisionId: selected.decision.id };
    add.mutate({ traceId, ...place, name: name.trim(), value });
  };
  return (
    <form
      aria-labelledby={`${id}-title`}
      className="grid grid-cols-[minmax(0,1fr)] gap-2"
      onSubmit={onSubmit}
    >
      <h3 id={`${id}-title`} className="font-semibold">
        Add a score
      </h3>
      <div className="flex flex-wrap gap-2">
        <input
          ref={nameField}
          aria-label="Name"
          placeholder="Name"
          list={`${id}-names`}
          required
          autoComplete="off"
          maxLength={MAX_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
          className={`${inputStyle} min-w-28 flex-1`}
        />
        <datalist id={`${id}-names`}>
          {names.data?.names.map((one) => (
            <option key={one.name} value={one.name} />
          ))}
        </datalist>
        <input
          aria-label="Value"
          aria-describedby={`${id}-hint`}
          placeholder="Value"
          required
          autoComplete="off"
          maxLength={MAX_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={`${inputStyle} min-w-20 flex-1`}
        />
        <Button type="submit" disabled={add.isPending}>
          Add
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-xs text-muted">
        {selected === null ? (
          "On the run; select a row to judge it. "
        ) : (
          <>
            On the selected row, <b className="font-semibold text-text">{nodeName(selected)}</b>.{" "}
          </>
        )}
        true and false are booleans, digits are numbers, anything else is a label.
      </p>
      <p className="text-xs text-muted">
        Decisions are judged by verdict: <Kbd>1</Kbd> right <Kbd>2</Kbd> wrong <Kbd>3</Kbd> should have been.
      </p>
      {add.error && <ErrorNotice error={add.error} />}
      <p role="status" className="sr-only">
        {add.isSuccess ? `Added ${add.variables.name}.` : ""}
      </p>
    </form>
  );
}
