import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../client/people/members-query.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { SelectField } from "../ui/controls/select-field.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { AUDITED_ACTIONS } from "./audit-sentence.ts";

interface AuditFiltersProps {
  search: AuditSearch;
  onFilter: (search: AuditSearch) => void;
}

/** `member.role-changed` as "member: role changed". */
const actionWords = (action: string) => action.replace(".", ": ").replaceAll("-", " ");

/** Which events are listed: what was done, by whom and when. */
export function AuditFilters({ search, onFilter }: AuditFiltersProps) {
  const members = useQuery(membersQuery).data?.members ?? [];
  const { action = "", actor = "", from = "", to = "" } = search;
  const change = (part: AuditSearch) => onFilter({ ...search, ...part });
  const people = members.map(({ userId, name, email }) => ({ value: userId, label: name ?? email }));
  const isListed = actor === "" || people.some(({ value }) => value === actor);
  return (
    <search className="grid items-end gap-3 min-[380px]:grid-cols-2 xl:grid-cols-4">
      <SelectField
        label="Action"
        value={action}
        onChange={(event) => change({ action: event.target.value })}
        options={[
          { value: "", label: "All actions" },
          ...(action === "" || AUDITED_ACTIONS.includes(action) ? [] : [{ value: action, label: action }]),
          ...AUDITED_ACTIONS.map((value) => ({ value, label: actionWords(value) })),
        ]}
      />
      <SelectField
        label="Person"
        value={actor}
        onChange={(event) => change({ actor: event.target.value })}
        options={[
          { value: "", label: "Everybody" },
          ...(isListed ? [] : [{ value: actor, label: "A former member" }]),
          ...people,
        ]}
      />
      <Field
        label="From"
        type="date"
        max={to || undefined}
        value={from}
        onChange={(event) => change({ from: event.target.value })}
      />
      <Field
        label="To"
        type="date"
        min={from || undefined}
        value={to}
        onChange={(event) => change({ to: event.target.value })}
      />
      {Object.keys(search).length > 0 && (
        <Button className="justify-self-start" onClick={() => onFilter({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
