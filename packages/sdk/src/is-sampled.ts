/** Depends only on the id (FNV-1a hash), so that every process makes the same choice. */
export function isSampled(id: string, rate: number): boolean {
  if (rate >= 1) return true;
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  // FNV-1a maps ids that differ only in the last character to similar hashes; this step spreads them.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 12)) >>> 0) / 0x1_0000_0000 < rate;
}
