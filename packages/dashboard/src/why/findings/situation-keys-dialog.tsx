import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { inputStyle } from "../../ui/controls/field.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { agentsQuery } from "../insights-query.ts";
import { type FindingsSearch, situationKeysQuery } from "./findings-query.ts";
import { SituationKeysForm } from "./situation-keys-form.tsx";

interface SituationKeysDialogProps {
  search: FindingsSearch;
  isOpen: boolean;
  onClose: () => void;
}

/** Names what is known of a run before its agent decides anything. */
export function SituationKeysDialog({ search, isOpen, onClose }: SituationKeysDialogProps) {
  return (
    <Dialog title="Situation keys" isOpen={isOpen} onClose={onClose}>
      <p>
        Only runs whose values of these keys are the same are compared, for example the kind of a question or
        the plan of a customer. Name only what is known before the agent decides: nothing that a choice can
        change.
      </p>
      <AgentKeys search={search} onClose={onClose} />
    </Dialog>
  );
}

function AgentKeys({ search, onClose }: Omit<SituationKeysDialogProps, "isOpen">) {
  const agents = useQuery({ ...agentsQuery(search), enabled: search.agent === undefined });
  const names = search.agent === undefined ? (agents.data?.agents.map(({ name }) => name) ?? []) : [];
  const [picked, setPicked] = useState<string>();
  const agent = search.agent ?? picked ?? names[0] ?? "";
  const keys = useQuery({ ...situationKeysQuery(agent), enabled: agent !== "" });
  return (
    <>
      {search.agent === undefined && (
        <label className="grid gap-1.5 font-medium">
          Agent
          <select className={inputStyle} value={agent} onChange={(event) => setPicked(event.target.value)}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <QueryResult query={keys} skeleton={<SkeletonRows count={3} />}>
        {(list) => <SituationKeysForm key={list.agent} list={list} search={search} onClose={onClose} />}
      </QueryResult>
    </>
  );
}
