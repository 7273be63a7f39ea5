import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ChangedSavedView, MAX_VIEW_NAME_LENGTH, type SavedView } from "@whytrace/contract";
import { type FormEvent, useState } from "react";
import { api } from "../client/api.ts";
import { useUser } from "../client/session.ts";
import { useIsReadOnly, useRoleRefusal } from "../client/use-role.ts";
import { useAuthorName } from "../shell/author.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { FilterChip } from "../ui/controls/filter-chip.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { SkeletonBar } from "../ui/skeleton.tsx";
import { viewsQuery } from "./views-query.ts";

interface ViewsChipProps {
  /** The search parameters of the page. */
  query: string;
  onOpen: (query: string) => void;
}

/** Saved views of the list: open, save, rename, delete, and make one the default. */
export function ViewsChip({ query, onOpen }: ViewsChipProps) {
  const { data } = useQuery(viewsQuery);
  const open = data?.views.find((view) => view.query === query);
  return (
    <FilterChip label="Views" value={open?.name} onClear={() => onOpen("")}>
      {(close) => (
        <Panel
          query={query}
          onOpen={(next) => {
            close();
            onOpen(next);
          }}
        />
      )}
    </FilterChip>
  );
}

function Panel({ query, onOpen }: ViewsChipProps) {
  const queryClient = useQueryClient();
  const views = useQuery(viewsQuery);
  const isReadOnly = useIsReadOnly();
  const isAdmin = useRoleRefusal("admin") === undefined;
  const { id: userId } = useUser();
  const [renamed, setRenamed] = useState<string>();
  const change = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSuccess: () => {
      setRenamed(undefined);
      return queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey });
    },
  });
  const patch = (id: string, body: ChangedSavedView) =>
    change.mutate(() => api("PATCH /api/views/:id", { params: { id }, body }));
  const error = change.error ?? views.error;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {views.isPending && <SkeletonBar className="w-2/3" />}
      {views.data?.views.length === 0 && (
        <p className="text-muted">No saved views yet. Set filters and a sort order, then save them here.</p>
      )}
      {views.data && views.data.views.length > 0 && (
        <ul className="grid max-h-72 gap-1 overflow-y-auto">
          {views.data.views.map((view) =>
            view.id === renamed ? (
              <li key={view.id}>
                <NameForm
                  label="New name"
                  action="Rename"
                  initial={view.name}
                  onSubmit={(name) => patch(view.id, { name })}
                />
              </li>
            ) : (
              <ViewItem
                key={view.id}
                view={view}
                isOpen={view.query === query}
                isReadOnly={isReadOnly}
                mayChange={view.createdBy?.id === userId || isAdmin}
                onOpen={() => onOpen(view.query)}
                onRename={() => setRenamed(view.id)}
                onDefault={() => patch(view.id, { isDefault: !view.isDefault })}
                onDelete={() =>
                  change.mutate(() => api("DELETE /api/views/:id", { params: { id: view.id } }))
                }
              />
            ),
          )}
        </ul>
      )}
      {error && <ErrorNotice error={error} />}
      <RoleNote needed="member" act="Saving views" />
      {query && !isReadOnly && (
        <div className="border-t border-line pt-3">
          <NameForm
            label="Save this view as"
            action="Save"
            initial=""
            onSubmit={(name) => change.mutate(() => api("POST /api/views", { body: { name, query } }))}
          />
        </div>
      )}
    </div>
  );
}

interface ViewItemProps {
  view: SavedView;
  isOpen: boolean;
  isReadOnly: boolean;
  /** Only its maker, an admin or an owner may. */
  mayChange: boolean;
  onOpen: () => void;
  onRename: () => void;
  onDefault: () => void;
  onDelete: () => void;
}

const ACTION =
  "grid size-7 shrink-0 place-items-center rounded text-muted hover:bg-sunken hover:text-text aria-pressed:text-accent max-sm:size-11";

function ViewItem(props: ViewItemProps) {
  const { view, isOpen, isReadOnly, mayChange, onOpen, onRename, onDefault, onDelete } = props;
  const author = useAuthorName(view.createdBy);
  return (
    <li className="flex items-center">
      <button
        type="button"
        aria-current={isOpen}
        className="min-h-8 min-w-0 flex-1 truncate rounded px-2 text-left hover:bg-sunken aria-[current=true]:font-semibold max-sm:min-h-11"
        title={`Saved by ${author}`}
        onClick={onOpen}
      >
        {view.name} <span className="text-xs font-normal text-muted">by {author}</span>
      </button>
      {!isReadOnly && (
        <button
          type="button"
          aria-pressed={view.isDefault}
          aria-label={`Open the list with ${view.name}`}
          title={view.isDefault ? "The list opens with this view" : "Open the list with this view"}
          className={ACTION}
          onClick={onDefault}
        >
          {view.isDefault ? "★" : "☆"}
        </button>
      )}
      {mayChange && !isReadOnly && (
        <>
          <button
            type="button"
            aria-label={`Rename ${view.name}`}
            title="Rename"
            className={ACTION}
            onClick={onRename}
          >
            ✎
          </button>
          <button
            type="button"
            aria-label={`Delete ${view.name}`}
            title="Delete"
            className={ACTION}
            onClick={onDelete}
          >
            ✕
          </button>
        </>
      )}
    </li>
  );
}

interface NameFormProps {
  label: string;
  action: string;
  initial: string;
  onSubmit: (name: string) => void;
}

function NameForm({ label, action, initial, onSubmit }: NameFormProps) {
  const [name, setName] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return;
    onSubmit(name);
    setName("");
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field
          label={label}
          required
          autoComplete="off"
          maxLength={MAX_VIEW_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <Button type="submit">{action}</Button>
    </form>
  );
}
