import { createHash } from "node:crypto";

interface RegistryPackage {
  versions: Record<string, { dist: { integrity: string } }>;
}

interface PackedPackage {
  name: string;
  version: string;
  tarball: Buffer;
}

/**
 * Whether the registry has this version already, so that a release which stopped halfway can run again. Throws if it has the
 * version with another content: a published version cannot be replaced.
 */
export async function isPublished(
  { name, version, tarball }: PackedPackage,
  registry: string,
): Promise<boolean> {
  const response = await fetch(`${registry.replace(/\/$/, "")}/${name.replace("/", "%2f")}`);
  if (response.status === 404) return false;
  if (!response.ok) throw new Error(`The registry answers ${response.status} for ${name}`);
  const { versions }: RegistryPackage = JSON.parse(await response.text());
  const published = versions[version]?.dist.integrity;
  if (published === undefined) return false;
  const packed = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  if (published === packed) return true;
  throw new Error(`${name} ${version} is published with another content (${published}, packed: ${packed})`);
}
