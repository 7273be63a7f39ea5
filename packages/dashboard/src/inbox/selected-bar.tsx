import { type Assignee, assigneeItems, useAssignees } from "../issues/use-assignees.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { MenuButton } from "../ui/controls/menu-button.tsx";

interface SelectedBarProps {
  count: number;
  /** The issues are resolved or ignored: they can be opened again. */
  isClosed: boolean;
  onResolve: () => void;
  onIgnore: () => void;
  onReopen: () => void;
  onAssign: (assignee: Assignee | null) => void;
  onMerge: () => void;
  onClear: () => void;
}

/** What can be done with all selected issues at once. */
export function SelectedBar(props: SelectedBarProps) {
  const { count, isClosed, onResolve, onIgnore, onReopen, onAssign, onMerge, onClear } = props;
  const assignees = useAssignees();
  if (count === 0) return null;
  return (
    <section
      aria-label="Selected issues"
      className="sticky bottom-0 z-[2] flex min-h-12 flex-wrap items-center gap-2 border-t border-accent bg-bg px-4 py-2"
    >
      <p aria-live="polite" className="mr-auto font-semibold max-sm:basis-full">
        {count} {count === 1 ? "issue" : "issues"} selected
      </p>
      <Button onClick={onClear}>Clear selection</Button>
      <MenuButton
        label="Assignee"
        filterLabel="Filter members"
        className={buttonStyle()}
        menuClassName="bottom-full left-0 mb-1 w-64 max-h-96 overflow-y-auto"
        items={assigneeItems(assignees, undefined, onAssign)}
      >
        Assign <span aria-hidden="true">▾</span>
      </MenuButton>
      <Button
        onClick={onMerge}
        disabled={count < 2}
        title={count < 2 ? "Select another issue to merge them" : undefined}
      >
        Merge
      </Button>
      {isClosed ? (
        <Button kind="primary" onClick={onReopen}>
          Reopen
        </Button>
      ) : (
        <>
          <Button onClick={onIgnore}>Ignore</Button>
          <Button kind="primary" onClick={onResolve}>
            Resolve
          </Button>
        </>
      )}
    </section>
  );
}
