import { useLocation, useNavigate } from "@tanstack/react-router";
import { workspaceSlug } from "../client/base-path.ts";
import { useSession } from "../client/session.ts";
import { paths } from "../paths.ts";
import { MenuButton } from "../ui/controls/menu-button.tsx";
import { openWorkspace } from "./enter-workspace.ts";

/** What a workspace demands that this sign-in does not meet. */
const BLOCKED = {
  "second-factor": "needs a second factor",
  sso: "needs another sign-in",
  "session-age": "needs a new sign-in",
} as const;

/** Shows in which workspace this tab is, and leads to the others. Switching keeps the section, not the record. */
export function WorkspaceSwitcher() {
  const { workspaces } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = workspaces.find(({ slug }) => slug === workspaceSlug) ?? workspaces[0];
  if (!current) return null;
  const section = `/${pathname.split("/")[1] ?? ""}`;
  const items = [
    ...workspaces.map(({ id, slug, name, role, blockedBy }) => ({
      key: id,
      label: name,
      note: blockedBy ? BLOCKED[blockedBy] : role,
      isChosen: id === current.id,
      onSelect: () => openWorkspace(slug, section === "/settings" ? paths.general : section),
    })),
    { label: "Members", note: "Invite a colleague", onSelect: () => void navigate({ to: paths.members }) },
    { label: "Create workspace", onSelect: () => void navigate({ to: paths.newWorkspace }) },
  ];
  return (
    <MenuButton
      label="Workspaces"
      items={items}
      className="flex min-h-8 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left hover:bg-sunken max-md:min-h-11 max-md:max-w-44"
      menuClassName="left-0 w-56 max-h-96 overflow-y-auto"
    >
      <span
        aria-hidden="true"
        className="grid size-6 shrink-0 place-items-center rounded bg-accent text-xs font-semibold text-bg"
      >
        {current.name.slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium">{current.name}</span>
        <span className="block text-xs text-muted max-md:hidden">{current.role}</span>
      </span>
    </MenuButton>
  );
}
