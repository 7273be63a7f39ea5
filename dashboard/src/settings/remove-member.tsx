import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Member } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../client/api.ts";
import { useSession } from "../client/session.ts";
import { useWorkspace } from "../client/use-workspace.ts";
import { Button } from "../ui/controls/button.tsx";
import { inputStyle } from "../ui/controls/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { membersQuery } from "./members-query.ts";

/** Asks which keys end, then removes a member, or lets the person leave. */
export function RemoveMember({ member, onDone }: { member: Member; onDone: () => void }) {
  const { user } = useSession();
  const { name } = useWorkspace();
  const queryClient = useQueryClient();
  const [keys, setKeys] = useState("reading");
  const isOwn = member.userId === user.id;
  const remove = useMutation({
    mutationFn: () => api(`/api/members/${member.userId}?keys=${keys}`, { method: "DELETE" }),
    onSuccess: async () => {
      if (isOwn) return location.assign("/");
      await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
      onDone();
    },
  });
  return (
    <>
      <p className="break-words">
        {isOwn
          ? `You lose access to ${name} at once.`
          : `${member.name ?? member.email} loses access to ${name} at once.`}
      </p>
      <label className="grid gap-1.5 font-medium">
        {isOwn ? "API keys that you created" : "API keys that they created"}
        <select className={inputStyle} value={keys} onChange={(event) => setKeys(event.target.value)}>
          <option value="reading">End those that read, keep those that agents send with</option>
          <option value="all">End all</option>
          <option value="none">Keep all</option>
        </select>
      </label>
      {remove.error && <ErrorNotice error={remove.error} />}
      <div className="flex gap-2">
        <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {isOwn ? "Leave" : "Remove"}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </>
  );
}
