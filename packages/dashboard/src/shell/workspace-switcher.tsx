import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { workspaceSlug } from "../client/base-path.ts";
import { ownInvitationsQuery } from "../client/people/own-invitations-query.ts";
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
  const [isOpened, setIsOpened] = useState(false);
  const invited = useQuery({ ...ownInvitationsQuery, enabled: isOpened }).data?.invitations.length ?? 0;
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
    {
      label: "Members",
      note: "Invite a colleague",
      isFixed: true,
      onSelect: () => void navigate({ to: paths.members }),
    },
    {
      label: "Create workspace",
      isFixed: true,
      onSelect: () => void navigate({ to: paths.newWorkspace }),
    },
    ...(invited === 0
      ? []
      : [
          {
            label: `Your invitations (${invited})`,
            isFixed: true,
            onSelect: () => void navigate({ to: paths.newWorkspace }),
          },
        ]),
  ];
  return (
    <MenuButton
      label="Workspaces"
      filterLabel="Filter workspaces"
      onOpen={() => setIsOpened(true)}
      items={items}
      className="flex min-h-8 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left hover:bg-sunken max-md:min-h-11 max-md:max-w-44 max-[359px]:max-w-16!"
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
