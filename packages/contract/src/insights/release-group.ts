const PATCH_VERSION = /^v?(\d+\.\d+)\.\d+(?:[-+][0-9a-z.+-]+)?$/i;

/** What a release has in common with those that differ only in their patch version: "2.3" of "v2.3.1". Null if it has no such form. */
export const releaseGroup = (release: string): string | null => PATCH_VERSION.exec(release)?.[1] ?? null;
