import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Condition, OutcomeDefinition, OutcomePreview } from "@whytrace/contract";
import { useState } from "react";
import { ApiError, api } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";
import { SCORES_KEY } from "../scores/scores-query.ts";
import { Kbd } from "../ui/badges.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { Field } from "../ui/controls/field.tsx";
import { useDebounced } from "../ui/hooks/use-debounced.ts";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { ConditionList } from "./condition-list.tsx";
import { definitionOf } from "./definition-of.ts";
import { type DraftCondition, isChanged, toDraft } from "./draft.ts";
import { isComplete } from "./is-complete.ts";
import { OUTCOMES_KEY, outcomesQuery, previewQuery } from "./outcomes-query.ts";
import { PreviewPanel } from "./preview-panel.tsx";
import { VersionList } from "./version-list.tsx";
import { VersionNote } from "./version-note.tsx";

interface DefinitionEditorProps {
  agent: string | undefined;
  /** The version that is in force, as far as is known. */
  newest: OutcomeDefinition;
}

const TYPING_MS = 400;
const MAX_NOTE_LENGTH = 2_000;

/** Edits a definition, and shows what it would change before it is saved. */
export function DefinitionEditor({ agent, newest }: DefinitionEditorProps) {
  const client = useQueryClient();
  /** The version on which the draft is based. What is edited stays if somebody else saves a newer one. */
  const [shown, setShown] = useState(newest);
  const [draft, setDraft] = useState<readonly DraftCondition[]>(() => newest.bad.map(toDraft));
  const [note, setNote] = useState("");
  const isEdited = isChanged(draft, shown.bad);
  const show = (definition: OutcomeDefinition) => {
    setShown(definition);
    setDraft(definition.bad.map(toDraft));
    setNote("");
  };
  const newestKey = JSON.stringify(newest);
  const [seen, setSeen] = useState(newestKey);
  if (seen !== newestKey) {
    setSeen(newestKey);
    if (!isEdited && isChanged(draft, newest.bad)) show(newest);
    else if (!isEdited) setShown(newest);
  }
  const [dialog, setDialog] = useState<"history" | "uncounted" | "reset" | null>(null);
  const bad = conditionsOf(draft);
  const incomplete = draft.findIndex(({ condition }) => !isComplete(condition));
  const isReady = draft.length > 0 && incomplete < 0;
  const settled = useDebounced(draft, TYPING_MS);
  const preview = useQuery({
    ...previewQuery(agent, conditionsOf(settled)),
    enabled: isReady && settled === draft,
  });
  const refresh = () =>
    Promise.all(
      [OUTCOMES_KEY, SCORES_KEY, INSIGHTS_KEY, "traces"].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
  const save = useMutation({
    mutationFn: () =>
      api("PUT /api/outcomes", {
        body: { agent: agent ?? null, version: shown.version, bad, note: note.trim() || null },
      }),
    onSuccess: (saved) => {
      show(saved);
      return refresh();
    },
  });
  const reset = useMutation({
    mutationFn: () => api("DELETE /api/outcomes", { query: { agent } }),
    onSuccess: () => {
      save.reset();
      return refresh();
    },
    onSettled: () => setDialog(null),
  });
  const stale = save.error instanceof ApiError && save.error.status === 409 ? save.error : null;
  const fetchNewest = async () =>
    definitionOf(await client.fetchQuery({ ...outcomesQuery, staleTime: 0 }), agent);
  const onSave = async () => {
    // What is shown may be the preview of an earlier draft.
    const previewed = await client.fetchQuery(previewQuery(agent, bad)).catch(() => undefined);
    if (isUncounted(previewed)) setDialog("uncounted");
    else save.mutate();
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pb-3">
        <p className="min-w-0 flex-1 basis-72">
          A run is <b className="font-semibold text-error">bad</b> if any of these is true. A member’s review{" "}
          <Kbd>+</Kbd> <Kbd>−</Kbd> decides before all of them.
        </p>
        <VersionNote shown={shown} agent={agent} />
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:flex-1">
          <Button onClick={() => setDialog("history")}>History</Button>
          {shown.version > 0 && (
            <Button onClick={() => setDialog("reset")}>
              {agent === undefined ? "Use the built-in one" : "Use the workspace’s"}
            </Button>
          )}
          <Button
            kind="primary"
            disabled={!isReady || !isEdited || save.isPending}
            onClick={() => void onSave()}
          >
            {shown.version === 0 ? "Save" : "Save a new version"}
          </Button>
        </div>
      </div>
      <div className="grid gap-3 px-4 [&:not(:empty)]:pb-3">
        {stale && (
          <StaleNotice
            message={stale.message}
            onShowTheirs={() => void fetchNewest().then(show).then(save.reset)}
            onKeepMine={() => void fetchNewest().then(setShown).then(save.reset)}
          />
        )}
        {save.error && !stale && <ErrorNotice error={save.error} />}
        {reset.error && <ErrorNotice error={reset.error} />}
        {save.isSuccess && !isEdited && <Notice tone="completed">Saved. New runs follow it at once.</Notice>}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pb-8 xl:grid-cols-2 xl:items-start">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <ConditionList
            agent={agent}
            draft={draft}
            matched={matchedOf(preview.data, bad)}
            onChange={setDraft}
          />
          {isEdited && (
            <Field
              label="Why it changes"
              hint="Optional. The history shows it."
              maxLength={MAX_NOTE_LENGTH}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </div>
        <PreviewPanel
          query={preview}
          bad={bad}
          incomplete={
            draft.length === 0 ? "Add a condition to see what it would change." : incompleteWords(incomplete)
          }
          isEdited={isEdited}
        />
      </div>
      <Dialog title="History" isOpen={dialog === "history"} onClose={() => setDialog(null)}>
        <VersionList
          agent={agent}
          onUse={(conditions) => {
            setDraft(conditions.map(toDraft));
            setDialog(null);
          }}
        />
      </Dialog>
      <Dialog title="No run could be counted" isOpen={dialog === "uncounted"} onClose={() => setDialog(null)}>
        <p>
          0 of {preview.data?.runs.toLocaleString("en")} runs could be counted: by this definition all of them
          are unknown. Why would have nothing to compare.
        </p>
        <div className="flex gap-2">
          <Button
            kind="danger"
            onClick={() => {
              setDialog(null);
              save.mutate();
            }}
          >
            Save anyway
          </Button>
          <Button onClick={() => setDialog(null)}>Cancel</Button>
        </div>
      </Dialog>
      <Dialog title="Take this definition back?" isOpen={dialog === "reset"} onClose={() => setDialog(null)}>
        <p>
          {agent === undefined
            ? "Agents without a definition of their own are then judged by the built-in one."
            : `${agent} is then judged by the workspace’s definition.`}{" "}
          Stored runs are judged again. The history stays.
        </p>
        <div className="flex gap-2">
          <Button kind="danger" disabled={reset.isPending} onClick={() => reset.mutate()}>
            Take back
          </Button>
          <Button onClick={() => setDialog(null)}>Cancel</Button>
        </div>
      </Dialog>
    </>
  );
}

const conditionsOf = (draft: readonly DraftCondition[]) => draft.map(({ condition }) => condition);

const incompleteWords = (index: number) =>
  index < 0 ? null : `Fill in condition ${index + 1} to see what it would change.`;

const isUncounted = (preview: OutcomePreview | undefined) =>
  preview !== undefined &&
  preview.runs > 0 &&
  preview.after.good + preview.after.bad === 0 &&
  preview.after.unknown > 0;

/** While an older preview is shown, its numbers may be those of other conditions. */
const matchedOf = (preview: OutcomePreview | undefined, bad: readonly Condition[]) =>
  preview && preview.matched.length === bad.length
    ? { counts: preview.matched, runs: preview.runs }
    : undefined;

interface StaleNoticeProps {
  message: string;
  onShowTheirs: () => void;
  onKeepMine: () => void;
}

/** Somebody else saved meanwhile: neither version is lost without a word. */
function StaleNotice({ message, onShowTheirs, onKeepMine }: StaleNoticeProps) {
  return (
    <div className="grid justify-items-start gap-2">
      <Notice tone="error">{message}. Nothing was saved.</Notice>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onShowTheirs}>Show theirs</Button>
        <Button onClick={onKeepMine}>Keep mine, to save it on top of theirs</Button>
      </div>
    </div>
  );
}
