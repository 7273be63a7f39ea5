/** The path of an address of our own origin, as a browser would understand it; `/` for every other. */
export function ownPath(publicUrl: string, next: string | undefined): string {
  if (next === undefined || !URL.canParse(next, publicUrl)) return "/";
  const { origin, pathname, search, hash } = new URL(next, publicUrl);
  // A path that starts with two slashes would be another host when the browser reads it.
  return origin === new URL(publicUrl).origin && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
