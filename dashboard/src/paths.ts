/** Every URL path of the dashboard. */
export const paths = {
  home: "/",
  traces: "/traces",
  trace: "/traces/$id",
  decisions: "/decisions",
  why: "/why",
  decisionMap: "/why/map",
  whyGuide: "/why/guide",
  scorecard: "/why/$signature",
  compare: "/compare",
  agentSessions: "/sessions",
  agentSession: "/sessions/$id",
  apiKeys: "/settings/api-keys",
  links: "/settings/links",
  prices: "/settings/prices",
  billing: "/settings/billing",
  account: "/settings/account",
  shared: "/shared/$token",
  welcome: "/welcome",
  login: "/login",
  register: "/register",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  verifyEmail: "/verify-email",
} as const;

/** Where to go after sign-in. Paths on other origins are replaced, which prevents an open redirect. */
export function sameOriginPath(next: string | undefined): string {
  if (!next?.startsWith("/")) return paths.home;
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : paths.home;
}
