// Adds the optional packages of other platforms to package-lock.json, with their integrity. `npm install` leaves them out,
// but `npm ci` requires them. Run it after every `npm install`: npm run lockfile
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const OS = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "aix",
  "win32",
];
const CPU = ["arm64", "x64", "arm", "ia32", "ppc64", "s390x", "riscv64", "loong64", "mips64el", "wasm32"];

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));

/** Reads os, cpu and libc from a name like `binding-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split("/").at(-1).replace("windows", "win32").split("-");
  const os = OS.find((one) => words.includes(one));
  const cpu = CPU.find((one) => words.includes(one));
  const libc = words.includes("musl") ? "musl" : words.includes("gnu") ? "glibc" : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes("node_modules/")) continue;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`${path}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`]) continue;
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ""),
      ...platformOf(name),
      ...(entry.dev && { dev: true }),
      license: entry.license,
      optional: true,
    };
    added += 1;
  }
}
/** Undefined if the registry does not have this version. */
function integrityOf(name, version) {
  try {
    const args = ["view", `${name}@${version}`, "dist.integrity", "--loglevel=silent"];
    return execFileSync("npm", args, { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

const unverified = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  const [, name] = path.split(/(?:^|.*\/)node_modules\//);
  if (!name || entry.link || entry.inBundle || entry.integrity) continue;
  entry.integrity = integrityOf(name, entry.version);
  if (!entry.integrity) unverified.push(`${name}@${entry.version}`);
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} platform entries added`);
if (unverified.length > 0)
  console.log(`No integrity, because the registry lacks them: ${unverified.join(", ")}`);
