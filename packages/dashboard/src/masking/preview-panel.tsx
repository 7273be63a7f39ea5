import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { costWords } from "./cost-words.ts";
import { type MaskingDraft, type PreviewResult, previewMasking } from "./masking-query.ts";

const numberOf = (count: number) => count.toLocaleString("en");

/** What is found and is no type of a rule. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  notChecked: "not checked in time",
  structure: "replaced as a whole",
};

/** Counts what the draft would mask in the newest traces, by place and without content. */
export function PreviewPanel({ draft }: { draft: MaskingDraft }) {
  const [traces, setTraces] = useState(0);
  const preview = useMutation({
    mutationFn: () => {
      setTraces(0);
      return previewMasking(draft, setTraces);
    },
  });
  return (
    <div className="grid gap-3">
      <Button className="justify-self-start" disabled={preview.isPending} onClick={() => preview.mutate()}>
        Preview on stored traces
      </Button>
      {preview.error && <ErrorNotice error={preview.error} />}
      <div role="status">
        {preview.isPending && <p className="text-muted">{numberOf(traces)} traces read…</p>}
        {preview.data && <Result result={preview.data} />}
      </div>
    </div>
  );
}

function Result({ result: { traces, matchedTraces, leftOut, fields, ...cost } }: { result: PreviewResult }) {
  // Patterns that are too slow are not tried on any trace, whether there are some or not.
  if (traces === 0)
    return (
      <p className="text-muted">
        {cost.warning === undefined && "No traces are stored yet. "}
        {costWords(cost)}
      </p>
    );
  return (
    <div className="grid gap-2">
      <p className="text-muted">
        In addition to what is masked already: something in {numberOf(matchedTraces)} of the newest{" "}
        {numberOf(traces)} traces.{" "}
        {leftOut > 0 &&
          `${numberOf(leftOut)} spans, decisions or events of more than 1 MiB were not looked at. `}
        {costWords(cost)}
      </p>
      {fields.length > 0 && (
        <ul className="rounded-md border border-line">
          {fields.map(({ place, type, rule, count, traces: inTraces }) => (
            <li
              key={JSON.stringify([place, type, rule])}
              className="flex flex-wrap gap-x-4 border-b border-line px-3 py-1.5 last:border-0"
            >
              <code className="min-w-0 flex-1 basis-56 font-mono text-xs break-all">{place}</code>
              <span className="text-muted">{rule ?? TYPE_WORDS[type] ?? type}</span>
              <span className="tabular-nums">
                {numberOf(count)} in {numberOf(inTraces)} {inTraces === 1 ? "trace" : "traces"}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
