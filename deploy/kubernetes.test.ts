import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

/* Checks the manifests against the schemas of the Kubernetes API. No cluster has run them. */

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

interface Container {
  image: string;
  securityContext: object;
  startupProbe?: { httpGet: { path: string } };
  readinessProbe?: { httpGet: { path: string } };
  livenessProbe?: { httpGet: { path: string } };
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        automountServiceAccountToken: boolean;
        terminationGracePeriodSeconds: number;
        securityContext: object;
        containers: Container[];
      };
    };
    selector: { matchLabels: Record<string, string> };
  };
}

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifests = ["migrate", "whytrace"].flatMap((name) =>
  parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document): Manifest => document.toJS()),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const [deployment] = ofKind("Deployment");
const workloads = [...ofKind("Deployment"), ...ofKind("Job")];
const containers = workloads.flatMap(({ spec }) => spec.template.spec.containers);

interface Validator {
  (data: unknown): boolean;
  errors?: { instancePath: string; keyword: string; params: object }[] | null;
}

/** The schema of apps/v1 Deployment is called IoK8sApiAppsV1Deployment. */
async function loadSchema({ apiVersion, kind }: Manifest): Promise<Validator> {
  const [version = "", group = "core"] = apiVersion.split("/").reverse();
  const name = [group.replace(/\..*/, ""), version].map((part) => part[0]?.toUpperCase() + part.slice(1));
  const { validate } = await import(`kubernetes-models/_schemas/IoK8sApi${name.join("")}${kind}`);
  return validate;
}

/**
 * Copies a manifest and notes which of its fields are read. The schemas allow unknown fields, which the API would reject or
 * ignore; a validator never reads them.
 */
function watchReads(value: Json, path: string, unread: Set<string>): Json {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => {
    unread.add(`${path}.${key}`);
    return [key, watchReads(child, `${path}.${key}`, unread)] as const;
  });
  const copy = Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
  return new Proxy(copy, {
    get(target, key) {
      unread.delete(`${path}.${String(key)}`);
      return Reflect.get(target, key);
    },
  });
}

async function problemsOf(manifest: Manifest): Promise<unknown[]> {
  const validate = await loadSchema(manifest);
  const unread = new Set<string>();
  validate(watchReads(JSON.parse(JSON.stringify(manifest)), "", unread));
  return [...(validate.errors ?? []), ...unread];
}

describe("the Kubernetes manifests", () => {
  it.each(manifests.map((manifest) => [manifest.kind, manifest] as const))(
    "%s has only fields of the API, of the right type",
    async (_kind, manifest) => expect(await problemsOf(manifest)).toEqual([]),
  );

  it("would fail with a misspelt field or a wrong type", async () => {
    if (!deployment) throw new Error("no Deployment");
    const wrong = structuredClone(deployment);
    Object.assign(wrong.spec, { replica: 2, minReadySeconds: "soon" });
    expect(await problemsOf(wrong)).toEqual([
      expect.objectContaining({ instancePath: "/spec/minReadySeconds" }),
      ".spec.replica",
    ]);
  });

  it("contain what an installation needs", () => {
    const kinds = ["Job", "ConfigMap", "Deployment", "Service", "PodDisruptionBudget"];
    expect(manifests.map(({ kind }) => kind)).toEqual([...kinds, "HorizontalPodAutoscaler", "NetworkPolicy"]);
  });

  it("run without root, capabilities, a writable file system or a token of the API", () => {
    for (const { spec } of workloads) {
      expect(spec.template.spec.automountServiceAccountToken).toBe(false);
      expect(spec.template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
    }
    for (const { securityContext } of containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  });

  it("name one version of the image, that of the packages", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(new Set(containers.map(({ image }) => image.split(":")[1]))).toEqual(new Set([version]));
  });

  it("send traffic by readiness, restart by liveness alone, and give the server time to stop", () => {
    const [server] = deployment?.spec.template.spec.containers ?? [];
    expect(server?.readinessProbe?.httpGet.path).toBe("/api/health");
    expect(server?.livenessProbe?.httpGet.path).toBe("/api/health/live");
    expect(server?.startupProbe?.httpGet.path).toBe("/api/health/live");
    const [, stopTimeoutMs = ""] =
      /STOP_TIMEOUT_MS = ([\d_]+)/.exec(read("packages/server/src/main.ts")) ?? [];
    expect(Number(deployment?.spec.template.spec.terminationGracePeriodSeconds) * 1_000).toBeGreaterThan(
      Number(stopTimeoutMs.replaceAll("_", "")),
    );
  });

  it("select the pods of the Deployment, and set only documented variables", () => {
    const labels = deployment?.spec.template.metadata.labels;
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(ofKind(kind)[0]?.spec.selector.matchLabels).toEqual(labels);
    expect(ofKind("Service")[0]?.spec.selector).toEqual(labels);
    const known = read("docs/configuration.md");
    for (const name of Object.keys(ofKind("ConfigMap")[0]?.data ?? {}))
      expect(known).toContain(`\`${name}\``);
  });
});
