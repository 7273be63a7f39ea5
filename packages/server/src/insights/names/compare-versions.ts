const PARTS = /\d+|\D+/g;

/** Orders releases as a person does: 2.2.4 before 2.2.10. */
export function compareVersions(one: string, other: string): number {
  const [parts, otherParts] = [one.match(PARTS) ?? [], other.match(PARTS) ?? []];
  for (const [index, part] of parts.entries()) {
    const otherPart = otherParts[index];
    if (otherPart === undefined) return 1;
    if (part === otherPart) continue;
    const difference = Number(part) - Number(otherPart);
    if (difference < 0 || difference > 0) return difference;
    return part < otherPart ? -1 : 1;
  }
  return parts.length - otherParts.length;
}
