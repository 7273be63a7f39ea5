import type { IssueDetail } from "@whytrace/contract";
import { useState } from "react";
import { useIsReadOnly } from "../client/use-role.ts";
import { Avatar } from "../issues/avatar.tsx";
import {
  assignIssues,
  defaultResolution,
  exceptRelease,
  ignoreIssues,
  reopenIssues,
  resolveIssues,
} from "../issues/change-issues.ts";
import { type Assignee, assigneeItems, useAssignees } from "../issues/use-assignees.ts";
import type { IssueChanges } from "../issues/use-issue-changes.ts";
import { useAuthorName } from "../shell/author.tsx";
import { RoleNote } from "../shell/role-note.tsx";
import { Kbd } from "../ui/badges.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { MenuButton } from "../ui/controls/menu-button.tsx";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { CodingAgentSheet } from "./coding-agent-sheet.tsx";
import { IgnoreMenu } from "./ignore-menu.tsx";
import { ResolveInRelease } from "./resolve-in-release.tsx";
import { TrackerForm } from "./tracker-form.tsx";

interface IssueActionsProps {
  issue: IssueDetail;
  changes: IssueChanges;
}

type OpenDialog = "release" | "tracker" | "agent" | null;

/** What a person does with an issue. */
export function IssueActions({ issue, changes }: IssueActionsProps) {
  const isReadOnly = useIsReadOnly();
  const assignees = useAssignees();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const { number, state, assignee, externalUrl, regression } = issue;
  const isOpen = state !== "resolved" && state !== "ignored";
  const main = defaultResolution([issue]);
  const resolve = (fixedIn: "now" | "next") => changes.make(() => resolveIssues([issue], { in: fixedIn }));
  const resolveMain = () => resolve(main.in === "now" ? "now" : "next");
  const reopen = () => changes.make(() => reopenIssues([issue]));
  const assigneeName = useAuthorName(assignee);
  const assign = (to: Assignee | null) => changes.make(() => assignIssues([issue], to));
  useShortcuts(
    isReadOnly
      ? {}
      : {
          e: () => (isOpen ? resolveMain() : reopen()),
          i: () => isOpen && changes.make(() => ignoreIssues([issue], {})),
          a: () => assign(assignees[0] ?? null),
        },
  );
  const close = () => setDialog(null);
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:[&>*]:grow">
      {!isReadOnly && (
        <>
          {isOpen ? (
            <span className="flex max-sm:w-full">
              <Button
                kind="primary"
                disabled={changes.isPending}
                className="rounded-r-none! max-sm:flex-1"
                onClick={resolveMain}
              >
                <span aria-hidden="true">✓</span>
                {main.in === "next" ? "Resolve in the next release" : "Resolve now"}
                <span className="max-sm:hidden">
                  <Kbd>e</Kbd>
                </span>
              </Button>
              <MenuButton
                label="Resolve"
                className={`${buttonStyle("primary")} rounded-l-none border-l-bg! px-2!`}
                menuClassName="right-0 w-72 sm:right-auto sm:left-0"
                items={[
                  {
                    label: "Now",
                    note: "A run that starts from now on breaks it",
                    onSelect: () => resolve("now"),
                  },
                  {
                    label: "In the next release",
                    note: "A run of a release that is first seen later breaks it",
                    onSelect: () => resolve("next"),
                  },
                  {
                    label: "In release …",
                    note: "Also one that has not been seen yet",
                    onSelect: () => setDialog("release"),
                  },
                ]}
              >
                <span aria-hidden="true">▾</span>
                <span className="sr-only">More ways to resolve</span>
              </MenuButton>
            </span>
          ) : (
            <Button kind="primary" disabled={changes.isPending} onClick={reopen}>
              Reopen
            </Button>
          )}
          {isOpen && (
            <IgnoreMenu onIgnore={(ignoring) => changes.make(() => ignoreIssues([issue], ignoring))} />
          )}
          <MenuButton
            label="Assignee"
            className={`${buttonStyle()} w-full`}
            filterLabel="Filter members"
            menuClassName="left-0 w-64 max-h-96 overflow-y-auto"
            items={assigneeItems(assignees, assignee?.id ?? null, assign)}
          >
            <Avatar person={assignee} />
            <span className="max-w-40 truncate first-letter:uppercase">
              {assignee === null ? "Assign" : assigneeName}
            </span>
            <span aria-hidden="true">▾</span>
          </MenuButton>
          {externalUrl === null ? (
            <Button onClick={() => setDialog("tracker")}>Link a tracker</Button>
          ) : (
            <span className="flex">
              <a
                href={externalUrl}
                target="_blank"
                rel="noreferrer"
                className={`${buttonStyle()} max-w-60 rounded-r-none! max-sm:flex-1`}
              >
                <span className="truncate">↗ {trackerName(externalUrl)}</span>
              </a>
              <Button
                aria-label="Change the link to the tracker"
                className="rounded-l-none! border-l-0! px-2!"
                onClick={() => setDialog("tracker")}
              >
                …
              </Button>
            </span>
          )}
          {state === "regressed" && regression?.release && (
            <Button
              title="This release comes from an old branch: the issue is resolved again, except in it"
              onClick={() => changes.make(() => exceptRelease(issue, regression.release ?? ""))}
            >
              {regression.release} does not have the fix
            </Button>
          )}
        </>
      )}
      <RoleNote needed="member" act="Working on issues" />
      {isReadOnly && assignee !== null && (
        <span className="flex items-center gap-1.5 text-muted">
          <Avatar person={assignee} /> Assigned to {assigneeName}
        </span>
      )}
      <Button className="sm:ml-auto" onClick={() => setDialog("agent")}>
        Hand to a coding agent
      </Button>
      <Dialog title={`Resolve #${number} in a release`} isOpen={dialog === "release"} onClose={close}>
        <ResolveInRelease
          issue={issue}
          onResolve={(release) => {
            close();
            changes.make(() => resolveIssues([issue], { in: "release", release }));
          }}
          onCancel={close}
        />
      </Dialog>
      <Dialog title="Link a tracker" isOpen={dialog === "tracker"} onClose={close}>
        <TrackerForm issue={issue} onDone={close} />
      </Dialog>
      <Dialog title={`Hand #${number} to a coding agent`} isOpen={dialog === "agent"} onClose={close}>
        <CodingAgentSheet number={number} />
      </Dialog>
    </div>
  );
}

/** `SUP-218` of `https://tracker.example/browse/SUP-218`. */
function trackerName(url: string): string {
  const { pathname, host } = new URL(url);
  return pathname.split("/").findLast(Boolean) ?? host;
}
