/** Every URL path of the dashboard. */
export const paths = {
  home: "/",
  issues: "/issues",
  issue: "/issues/$number",
  alerts: "/alerts",
  traces: "/traces",
  trace: "/traces/$id",
  decisions: "/decisions",
  why: "/why",
  decisionMap: "/why/map",
  whyGuide: "/why/guide",
  rules: "/why/rules",
  words: "/why/words",
  scorecard: "/why/$signature",
  scores: "/scores",
  reviewRuns: "/scores/review",
  agents: "/agents",
  agent: "/agents/$agent",
  releases: "/agents/$agent/releases",
  compare: "/compare",
  agentSessions: "/sessions",
  agentSession: "/sessions/$id",
  general: "/settings/general",
  apiKeys: "/settings/api-keys",
  members: "/settings/members",
  audit: "/settings/audit",
  newWorkspace: "/workspaces/new",
  outcomes: "/settings/outcomes",
  masking: "/settings/masking",
  links: "/settings/links",
  prices: "/settings/prices",
  billing: "/settings/billing",
  account: "/settings/account",
  signIn: "/settings/sign-in",
  shared: "/shared/$token",
  welcome: "/welcome",
  login: "/login",
  register: "/register",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  verifyEmail: "/verify-email",
  invitation: "/invitation",
  cli: "/cli",
} as const;

/** Where to go after sign-in. Paths on other origins are replaced, which prevents an open redirect. */
export function sameOriginPath(next: string | undefined): string {
  if (!next?.startsWith("/")) return paths.home;
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : paths.home;
}
