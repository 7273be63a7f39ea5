import type { Role } from "@whytrace/contract";
import { useRoleRefusal } from "../client/use-role.ts";

interface RoleNoteProps {
  needed: Role;
  /** What the role is needed for, as the subject of the sentence: "Changing prices". */
  act: string;
}

/** Stands where a control would be, if the role is not enough for it. */
export function RoleNote({ needed, act }: RoleNoteProps) {
  const refusal = useRoleRefusal(needed, act);
  return refusal && <p className="text-muted">{refusal}</p>;
}
