import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isPublished } from "../../tools/is-published.ts";
import {
  checksums,
  publicationFaults,
  releaseFaults,
  releaseNotes,
  withAbsoluteLinks,
} from "../../tools/release-files.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

describe("a release", () => {
  it("has one version everywhere, a section of the changelog, and upgrade notes", () => {
    expect(releaseFaults()).toEqual([]);
    expect(releaseNotes(version)).toMatch(/^### /m);
    expect(releaseNotes("9.9.9")).toBe("");
  });

  it("is not published while its texts say that it is unreleased", () => {
    const texts = {
      changelog: "# Changelog\n\n## [0.2.0] - 2026-12-01\n\n### Changed\n",
      install: "const IS_PUBLISHED: boolean = true;",
      readme: "Version 0.2.0 is on npm.",
    };
    expect(publicationFaults("0.2.0", texts)).toEqual([]);
    const changelog = texts.changelog.replace("2026-12-01", "Unreleased");
    expect(publicationFaults("0.2.0", { ...texts, changelog })).toEqual([
      expect.stringContaining("no date at 0.2.0"),
    ]);
    const install = texts.install.replace("true", "false");
    expect(publicationFaults("0.2.0", { ...texts, install })).toEqual([
      expect.stringContaining("IS_PUBLISHED"),
    ]);
    const readme = "Version 0.2.0 is not published yet: build it.";
    expect(publicationFaults("0.2.0", { ...texts, readme })).toEqual([expect.stringContaining("README.md")]);
    // The texts of this checkout are read, too.
    expect(read("packages/contract/src/install.ts")).toMatch(/\bIS_PUBLISHED\b.*= (true|false);/);
    expect(publicationFaults("9.9.9")).toContainEqual(expect.stringContaining("no date at 9.9.9"));
  });

  it("leaves out packages that the registry has with the same content, and stops at another content", async () => {
    const tarball = Buffer.from("packed");
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const requests: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url);
      const isKnown = request.url === "/@whytrace%2fsdk";
      const status = request.url === "/broken" ? 500 : isKnown ? 200 : 404;
      response.writeHead(status).end(JSON.stringify({ versions: { "0.2.0": { dist: { integrity } } } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sdk = { name: "@whytrace/sdk", version: "0.2.0", tarball };
    try {
      expect(await isPublished(sdk, registry)).toBe(true);
      expect(await isPublished({ ...sdk, version: "0.2.1" }, registry)).toBe(false);
      expect(await isPublished({ ...sdk, name: "whytrace" }, registry)).toBe(false);
      await expect(isPublished({ ...sdk, tarball: Buffer.from("other") }, registry)).rejects.toThrow(
        "@whytrace/sdk 0.2.0 is published with another content",
      );
      await expect(isPublished({ ...sdk, name: "broken" }, registry)).rejects.toThrow("answers 500");
      expect(requests).toHaveLength(5);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(read("tools/publish.ts")).toMatch(/await isPublished\([\s\S]*?npm", \["publish"/);
  });

  it("has notes whose links lead to the files of that version", () => {
    expect(withAbsoluteLinks("[a](docs/a.md#b), [c](https://c.example)", "https://host/blob/v1")).toBe(
      "[a](https://host/blob/v1/docs/a.md#b), [c](https://c.example)",
    );
  });

  it("has checksums that sha256sum can check", () => {
    expect(checksums({ "a.tgz": Buffer.from("a") })).toBe(
      "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.tgz\n",
    );
  });

  it("is published by the workflow of a tag, after every check, with provenance", () => {
    interface Job {
      needs?: string;
      permissions: Record<string, string>;
      steps: { run?: string }[];
    }
    interface Workflow {
      on: { push: { tags: string[] } };
      jobs: { pack: Job; packages: Job };
    }
    const { on, jobs } = parse(read(".github/workflows/release.yml")) as Workflow;
    expect(on).toEqual({ push: { tags: ["v*.*.*"] } });
    const commands = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);
    const checkAt = commands(jobs.pack).indexOf("bash .ci/run");
    expect(checkAt).toBeGreaterThan(-1);
    expect(commands(jobs.pack).indexOf("npm run release -- --skip-checks")).toBeGreaterThan(checkAt);
    expect(jobs.packages).toMatchObject({ needs: "pack", permissions: { "id-token": "write" } });
    expect(commands(jobs.packages)).toEqual(["node tools/publish.ts"]);
    expect(read("tools/publish.ts")).toContain('"--provenance"');
  });
});
