import { useQuery } from "@tanstack/react-query";
import { isSample } from "../client/base-path.ts";
import { membersQuery } from "../client/people/members-query.ts";
import { useUser } from "../client/session.ts";

const FRESH_MS = 60_000;
/** Of an account. A score that a program sent for a person may name anybody. */
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

interface AuthorProps {
  /** Who it was; null if the account is deleted. */
  person: { id: string; name?: string | null } | null;
}

/** Who made something, within a sentence: "you", a name, or that the person has left. */
export function Author({ person }: AuthorProps) {
  return useAuthorName(person);
}

/** The words of `Author`. */
export function useAuthorName(person: AuthorProps["person"]): string {
  const { id } = useUser();
  // Some records have only the id of the person.
  const isUnnamed = person !== null && !person.name && person.id !== id && ID.test(person.id);
  const members = useQuery({ ...membersQuery, enabled: isUnnamed && !isSample, staleTime: FRESH_MS });
  if (person?.id === id) return "you";
  if (person && !person.name && !isUnnamed) return person.id;
  const member = members.data?.members.find(({ userId }) => userId === person?.id);
  return (
    person?.name ?? member?.name ?? member?.email ?? (members.isLoading ? "a member" : "a former member")
  );
}
