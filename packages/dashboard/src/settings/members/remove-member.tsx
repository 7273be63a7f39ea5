import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiKey, includesRole, type Member, REMOVED_KEYS } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../../client/api.ts";
import { membersQuery } from "../../client/people/members-query.ts";
import { useSession } from "../../client/session.ts";
import { useWorkspace } from "../../client/use-workspace.ts";
import { Tag } from "../../ui/badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { apiKeysQuery } from "../api-keys-query.ts";

type RemovedKeys = (typeof REMOVED_KEYS)[number];

const WAYS: Record<RemovedKeys, string> = {
  reading: "End those that read, keep those that agents send with",
  all: "End all",
  none: "Keep all",
};
const isEnded = ({ scope }: ApiKey, keys: RemovedKeys) =>
  keys === "all" || (keys === "reading" && scope !== "send");

/** Asks which keys end, then removes a member, or lets the person leave. */
export function RemoveMember({ member, onDone }: { member: Member; onDone: () => void }) {
  const { user } = useSession();
  const { name, role } = useWorkspace();
  const queryClient = useQueryClient();
  const [keys, setKeys] = useState<RemovedKeys>("reading");
  const isOwn = member.userId === user.id;
  const person = isOwn ? "You" : (member.name ?? member.email);
  const remove = useMutation({
    mutationFn: () =>
      api("DELETE /api/members/:userId", { params: { userId: member.userId }, query: { keys } }),
    onSuccess: async () => {
      if (isOwn) return location.assign("/");
      await Promise.all(
        [membersQuery, apiKeysQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      );
      onDone();
    },
  });
  return (
    <>
      <p className="break-words">
        {isOwn ? `You lose access to ${name} at once.` : `${person} loses access to ${name} at once.`}
      </p>
      {/* A viewer may not list keys, but may have made some as a member. */}
      {includesRole(role, "member") ? (
        <MadeKeys member={member} person={person} keys={keys} onChange={setKeys} />
      ) : (
        <Ways keys={keys} onChange={setKeys} />
      )}
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

interface WaysProps {
  keys: RemovedKeys;
  onChange: (keys: RemovedKeys) => void;
}

/** The keys that a member created, and which of them end. */
function MadeKeys({ member, person, ...ways }: WaysProps & { member: Member; person: string }) {
  const query = useQuery(apiKeysQuery);
  return (
    <QueryResult query={query} skeleton={<SkeletonList count={1} />}>
      {(data) => {
        const made = data.keys.filter(({ createdBy }) => createdBy?.id === member.userId);
        if (made.length === 0) return <p className="text-muted">{person} created no API keys.</p>;
        return (
          <>
            <p className="break-words">
              {person} created {made.length === 1 ? "1 key" : `${made.length} keys`}:
            </p>
            <ul className="max-h-48 overflow-y-auto rounded-md border border-line">
              {made.map((key) => (
                <li
                  key={key.id}
                  className="flex flex-wrap items-center gap-x-2 border-b border-line px-3 py-1.5 last:border-0"
                >
                  <span className="min-w-0 break-words font-medium">{key.name}</span>
                  <Tag>{key.scope}</Tag>
                  <span className="text-xs text-muted">
                    {key.lastUsedAt ? (
                      <>
                        last used <RelativeTime instant={key.lastUsedAt} />
                      </>
                    ) : (
                      "never used"
                    )}
                  </span>
                  <span
                    className={`ml-auto text-xs font-medium ${isEnded(key, ways.keys) ? "text-error" : ""}`}
                  >
                    {isEnded(key, ways.keys) ? "ends" : "stays"}
                  </span>
                </li>
              ))}
            </ul>
            <Ways {...ways} />
          </>
        );
      }}
    </QueryResult>
  );
}

function Ways({ keys, onChange }: WaysProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">API keys</legend>
      {REMOVED_KEYS.map((way) => (
        <label key={way} className="flex min-h-8 items-center gap-2 max-sm:min-h-11">
          <input type="radio" name="keys" checked={way === keys} onChange={() => onChange(way)} />
          {WAYS[way]}
        </label>
      ))}
    </fieldset>
  );
}
