/** Addresses of the dashboard, for people. They begin with the address of the workspace. */
export const pageLinks = (publicUrl: string) => ({
  why: `${publicUrl}/why`,
  decision: (signature: string) => `${publicUrl}/why/${signature}`,
  issue: (number: number) => `${publicUrl}/issues/${number}`,
  trace: (traceId: string) => `${publicUrl}/traces/${encodeURIComponent(traceId)}`,
  releases: (agent: string) => `${publicUrl}/agents/${encodeURIComponent(agent)}/releases`,
  comparison: (a: string, b: string) => `${publicUrl}/compare?${new URLSearchParams({ a, b })}`,
});
