// Prints a software bill of materials (CycloneDX 1.5, JSON): every package that the image contains, as the lockfile pins it.
// `npm sbom --omit=dev` leaves out packages that another workspace needs for development, for example pg, and fails after
// `npm ci --omit=dev`. Usage: node tools/sbom.mjs > sbom.json
import { readFileSync } from "node:fs";

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
/** The workspaces in the image. The dashboard's dependencies are in its bundle; the command line's are not in the image. */
const ROOTS = ["packages/server", "packages/demo", "packages/dashboard"];
const { version } = JSON.parse(
  readFileSync(new URL("../packages/server/package.json", import.meta.url), "utf8"),
);

/** Resolves a dependency as Node.js does: in the package's own node_modules, then in those of the folders above. */
function locate(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const location = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const found = packages[location];
    if (found) return found.link ? found.resolved : location;
    if (folder === "") return undefined;
  }
}

const dependenciesOf = new Map();
function visit(location) {
  if (dependenciesOf.has(location)) return;
  dependenciesOf.set(location, []);
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[location];
  const names = Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies });
  for (const name of names) {
    const found = locate(name, location);
    if (found === undefined) {
      if (name in dependencies) throw new Error(`${name}, which ${location} needs, is not in the lockfile`);
      continue;
    }
    dependenciesOf.get(location).push(found);
    visit(found);
  }
}
for (const root of ROOTS) visit(root);
dependenciesOf.set("packages/cli", ["packages/server", "packages/demo"]);

const nameOf = (location) => packages[location].name ?? location.replace(/^.*node_modules\//, "");
const purlOf = (location) => `pkg:npm/${nameOf(location).replace("@", "%40")}@${packages[location].version}`;

function componentOf(location) {
  const { license, integrity = "", optional } = packages[location];
  const [algorithm, hash] = integrity.split("-");
  return {
    type: "library",
    "bom-ref": location,
    name: nameOf(location),
    version: packages[location].version,
    purl: purlOf(location),
    ...(optional && { scope: "optional" }),
    ...(license && {
      licenses: [license.includes(" ") ? { expression: license } : { license: { id: license } }],
    }),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }],
    }),
  };
}

const locations = [...dependenciesOf.keys()].sort();
const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { component: { type: "application", "bom-ref": "whytrace", name: "whytrace", version } },
  components: locations.map(componentOf),
  dependencies: [
    { ref: "whytrace", dependsOn: [...ROOTS, "packages/cli"] },
    ...locations.map((location) => ({
      ref: location,
      dependsOn: [...new Set(dependenciesOf.get(location))].sort(),
    })),
  ],
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
