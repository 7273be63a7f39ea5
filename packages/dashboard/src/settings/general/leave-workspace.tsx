import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { membersQuery } from "../../client/people/members-query.ts";
import { useSession } from "../../client/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { RemoveMember } from "../members/remove-member.tsx";
import { SettingsSection } from "../settings-layout.tsx";

/** Everybody may leave, except the last owner. */
export function LeaveWorkspace() {
  const { user } = useSession();
  const members = useQuery(membersQuery).data?.members ?? [];
  const [isLeaving, setIsLeaving] = useState(false);
  const own = members.find(({ userId }) => userId === user.id);
  const isLastOwner = own?.role === "owner" && members.filter(({ role }) => role === "owner").length === 1;
  return (
    <SettingsSection title="Leave">
      <p id="leave-hint" className="text-muted">
        {isLastOwner
          ? "A workspace needs an owner. Make somebody else an owner under Members first."
          : "You no longer see what is in it. What you made stays."}
      </p>
      <Button
        className="sm:justify-self-start"
        disabled={!own || isLastOwner}
        aria-describedby="leave-hint"
        onClick={() => setIsLeaving(true)}
      >
        Leave workspace
      </Button>
      <Dialog title="Leave the workspace?" isOpen={isLeaving} onClose={() => setIsLeaving(false)}>
        {own && <RemoveMember member={own} onDone={() => setIsLeaving(false)} />}
      </Dialog>
    </SettingsSection>
  );
}
