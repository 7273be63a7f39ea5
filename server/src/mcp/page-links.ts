/** Addresses of the dashboard, for people. */
export const pageLinks = (publicUrl: string) => ({
  why: `${publicUrl}/why`,
  decision: (signature: string) => `${publicUrl}/why/${signature}`,
  trace: (traceId: string) => `${publicUrl}/traces/${encodeURIComponent(traceId)}`,
  comparison: (a: string, b: string) => `${publicUrl}/compare?${new URLSearchParams({ a, b })}`,
});
