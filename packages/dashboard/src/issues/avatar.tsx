interface AvatarProps {
  person: { name: string | null } | null;
}

/** The initials of the assignee; a dashed circle if nobody has the issue. */
export function Avatar({ person }: AvatarProps) {
  const label = person ? `Assigned to ${person.name ?? "a former member"}` : "Assigned to nobody";
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`inline-grid size-5.5 shrink-0 place-items-center rounded-full text-[10px] font-semibold ${person ? "bg-sunken text-text" : "border border-dashed border-control"}`}
    >
      {person && initials(person.name)}
    </span>
  );
}

const initials = (name: string | null) =>
  (name ?? "?")
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join("");
