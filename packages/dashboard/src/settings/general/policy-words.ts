import type { WorkspacePolicy } from "@whytrace/contract";

export const formatHours = (hours: number) =>
  hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : hours === 1 ? "1 hour" : `${hours} hours`;

/** What a policy demands, a sentence for each rule; nothing if it demands nothing. */
export function policyWords(
  { requireSecondFactor, ssoProvider, maxSessionHours }: WorkspacePolicy,
  providers: readonly { id: string; name: string }[],
): string[] {
  const provider = providers.find(({ id }) => id === ssoProvider)?.name ?? ssoProvider;
  return [
    ...(requireSecondFactor ? ["Members sign in with a second factor."] : []),
    ...(provider === null ? [] : [`Members sign in with ${provider}.`]),
    ...(maxSessionHours === null ? [] : [`Members sign in again after ${formatHours(maxSessionHours)}.`]),
  ];
}
