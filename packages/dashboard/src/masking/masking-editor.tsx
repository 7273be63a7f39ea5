import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  MaskingAfterSave,
  MaskingRule,
  MaskingSettings,
} from "@whytrace/contract/schemas/masking/settings";
import { useState } from "react";
import { api } from "../client/api.ts";
import { maskingQuery } from "../client/masking-query.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { SettingsSection } from "../settings/settings-layout.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { costWords } from "./cost-words.ts";
import { LEVELS, LevelCards } from "./level-cards.tsx";
import { MaskLess } from "./mask-less.tsx";
import { type MaskingDraft, matchesQuery } from "./masking-query.ts";
import { matchesSince, typesMasked } from "./matches-words.ts";
import { PreviewPanel } from "./preview-panel.tsx";
import { RuleForm } from "./rule-form.tsx";
import { RuleList } from "./rule-list.tsx";
import { TryText } from "./try-text.tsx";

const indexOf = (level: MaskingSettings["level"]) => LEVELS.findIndex((one) => one.level === level);

interface MaskingEditorProps {
  settings: MaskingSettings;
  /** What the server said when these settings were saved here; null if they were not. */
  saved: MaskingAfterSave | null;
  onSaved: (saved: MaskingAfterSave) => void;
}

/** Level and rules as a draft: it is tried and previewed before it is saved. */
export function MaskingEditor({ settings, saved, onSaved }: MaskingEditorProps) {
  const { version, floor } = settings;
  const isAdmin = useRoleRefusal("admin") === undefined;
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<MaskingDraft>({ level: settings.level, rules: settings.rules });
  /** The rule in the form, and its place; the place after the last one: a new rule. */
  const [edited, setEdited] = useState<{ index: number; rule: Partial<MaskingRule> } | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const save = useMutation({
    mutationFn: () => api("PUT /api/masking", { body: { version, ...draft } }),
    onSuccess: (answer) => {
      onSaved(answer);
      queryClient.setQueryData(maskingQuery.queryKey, answer);
    },
    onSettled: () => setIsConfirming(false),
  });
  const { data: matches, error: matchesError } = useQuery(matchesQuery);
  const isChanged =
    JSON.stringify(draft) !== JSON.stringify({ level: settings.level, rules: settings.rules });
  const isLower = indexOf(draft.level) < indexOf(settings.level);
  const setRules = (rules: MaskingRule[]) => setDraft({ ...draft, rules });
  const saveRule = (rule: MaskingRule) => {
    if (edited) setRules(draft.rules.toSpliced(edited.index, 1, rule));
    setEdited(null);
  };
  return (
    <>
      <SettingsSection title="Masking">
        <p className="text-muted">
          What the level and your rules name is removed from everything that you send before it is stored. A
          token stands in its place. What is stored already stays as it is until you apply the rules to it.
        </p>
        <RoleNote needed="admin" act="Changing the level and the rules" />
        <fieldset disabled={!isAdmin}>
          <LevelCards level={draft.level} floor={floor} onChange={(level) => setDraft({ ...draft, level })} />
        </fieldset>
        {matches && Object.keys(matches.types).length > 0 && (
          <p className="text-muted">
            Masked {matchesSince(matches.since, Date.now())}: {typesMasked(matches)}.
          </p>
        )}
        {matchesError && <p className="text-muted">What was masked lately could not be counted.</p>}
      </SettingsSection>
      <SettingsSection title="Your rules">
        <RuleList
          rules={draft.rules}
          matches={matches}
          isChangeable={isAdmin}
          onEdit={(index) => setEdited({ index, rule: draft.rules[index] ?? {} })}
          onChange={setRules}
        />
        {isAdmin && (
          <Button
            className="justify-self-start"
            onClick={() => setEdited({ index: draft.rules.length, rule: {} })}
          >
            Add rule
          </Button>
        )}
      </SettingsSection>
      <TryText draft={draft} />
      {isAdmin && (
        <SettingsSection title="Save">
          {save.error && <ErrorNotice error={save.error} />}
          {saved && !isChanged && !save.error && (
            <Notice tone={saved.warning === undefined ? "completed" : "retry"}>
              Saved. {costWords(saved)}
            </Notice>
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              kind="primary"
              disabled={!isChanged || save.isPending}
              onClick={() => (isLower ? setIsConfirming(true) : save.mutate())}
            >
              Save
            </Button>
            <Button
              disabled={!isChanged}
              onClick={() => {
                save.reset();
                setDraft({ level: settings.level, rules: settings.rules });
              }}
            >
              Discard changes
            </Button>
          </div>
          <PreviewPanel draft={draft} />
        </SettingsSection>
      )}
      <Dialog
        title={edited?.rule.name === undefined ? "Add rule" : "Change rule"}
        isOpen={edited !== null}
        onClose={() => setEdited(null)}
      >
        {edited && <RuleForm rule={edited.rule} onSave={saveRule} onCancel={() => setEdited(null)} />}
      </Dialog>
      <Dialog title="Mask less?" isOpen={isConfirming} onClose={() => setIsConfirming(false)}>
        <MaskLess onConfirm={() => save.mutateAsync()} onCancel={() => setIsConfirming(false)} />
      </Dialog>
    </>
  );
}
