import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Member, Role } from "@whytrace/contract";
import { membersQuery } from "../../client/people/members-query.ts";
import { sessionQuery } from "../../client/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";

interface StepDownProps {
  member: Member;
  role: Role;
  change: () => Promise<unknown>;
  onDone: () => void;
}

/** Asks before a person gives their own role away: they could not take it back themselves. */
export function StepDown({ member, role, change, onDone }: StepDownProps) {
  const queryClient = useQueryClient();
  const stepDown = useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all(
        [sessionQuery, membersQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      );
      onDone();
    },
  });
  return (
    <>
      <p>
        You are {member.role}. As {role} you cannot change it back: somebody else has to.
      </p>
      {stepDown.error && <ErrorNotice error={stepDown.error} />}
      <div className="flex gap-2">
        <Button kind="danger" disabled={stepDown.isPending} onClick={() => stepDown.mutate()}>
          Become {role}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </>
  );
}
