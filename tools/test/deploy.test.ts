import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import * as apps from "kubernetes-models/apps/v1";
import * as core from "kubernetes-models/v1";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { root } from "../workspace.mjs";

const deploy = join(root, "examples/deploy");
const textOf = (...path: string[]): string => readFileSync(join(deploy, ...path), "utf8");

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

interface ComposeFile {
  readonly services: Record<
    string,
    {
      readonly image?: string;
      readonly ports?: readonly string[];
      readonly volumes?: readonly string[];
      readonly depends_on?: Record<string, object>;
      readonly healthcheck?: object;
    }
  >;
  readonly volumes: Record<string, null>;
}

/** Returns the services and volumes of both compose files, as `docker compose` merges them. */
function composed(): ComposeFile {
  const base = parse(textOf("compose.yaml")) as ComposeFile;
  const added = parse(textOf("compose.postgres.yaml")) as ComposeFile;
  const riskgate = { ...base.services["riskgate"], ...added.services["riskgate"] };
  return {
    services: { ...added.services, riskgate },
    volumes: { ...base.volumes, ...added.volumes },
  };
}

/** Models of Kubernetes, which check a manifest against its schema. */
const KINDS: Record<string, unknown> = { "apps/v1": apps, v1: core };

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: { readonly ports?: readonly { readonly targetPort?: string }[] };
}

interface ManifestModel {
  new (manifest: Manifest): { validate(): Promise<void> };
}

/** Names of the service's metrics. */
const METRICS = new Set(
  readFileSync(join(root, "packages/service/src/http/metrics.ts"), "utf8").match(
    /(?<=")(?:riskgate|process)_[a-z_]+(?=")/g,
  ),
);

/** Returns the metrics in a Prometheus query. */
function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:riskgate|process)_[a-z_]+/g) ?? [];
  return names.map((name) => name.replace(/_bucket$/, ""));
}

describe("examples/deploy", () => {
  it("has a valid Dockerfile", () => {
    expect(validate(textOf("Dockerfile"))).toEqual([]);
    expect(validate("FROM node\nWORKDIR src\nFOO bar\n")).not.toEqual([]);
  });

  it.each(readdirSync(join(deploy, "kubernetes")))(
    "has in kubernetes/%s manifests that fit their schema, and no Service for administration",
    async (file) => {
      const documents = parseAllDocuments(textOf("kubernetes", file));
      expect(documents.length).toBeGreaterThan(1);
      for (const document of documents) {
        expect(document.errors).toEqual([]);
        const manifest = document.toJS() as Manifest;
        const ports = manifest.spec?.ports ?? [];
        expect(ports.map(({ targetPort }) => targetPort)).not.toContain("admin");
        const models = KINDS[manifest.apiVersion] as Record<string, ManifestModel>;
        await new models[manifest.kind]!(manifest).validate();
      }
    },
  );

  it("has an image whose base is pinned, and whose dependencies have a layer before the sources", () => {
    const text = textOf("Dockerfile");
    const [base, ...stages] = text.match(/^FROM .*$/gm)!;
    expect(base).toMatch(/^FROM node:[\w.-]+@sha256:[0-9a-f]{64} AS base$/);
    expect(stages).toEqual(["FROM base AS build", "FROM base"]);
    expect(text.indexOf("pnpm fetch")).toBeLessThan(text.indexOf("COPY . ."));
  });

  it("publishes both ports of the compose file on this machine only, unless .env says otherwise", () => {
    const published = Object.entries(composed().services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => ({ name, port })),
    );
    expect(published).toEqual([
      { name: "riskgate", port: "${RISKGATE_ADDRESS:-127.0.0.1}:8080:8080" },
      { name: "riskgate", port: "${RISKGATE_ADMIN_ADDRESS:-127.0.0.1}:8081:8081" },
    ]);
    expect(textOf("Dockerfile")).toContain("EXPOSE 8080 8081\n");
  });

  it("has compose files whose services, volumes and health checks exist", () => {
    const { services, volumes } = composed();
    for (const [name, service] of Object.entries(services)) {
      const { image, volumes: mounted = [], depends_on: needed = {} } = service;
      expect(image, name).toBeTypeOf("string");
      for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(":")[0]!);
      for (const other of Object.keys(needed)) expect(services).toHaveProperty(other);
      // The image of the service has its own.
      expect(service.healthcheck !== undefined, name).toBe(name !== "riskgate");
    }
  });

  it("requires only variables that the page sets", () => {
    const required = ["compose.yaml", "compose.postgres.yaml"].map((file) =>
      [...textOf(file).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!),
    );
    expect(required).toEqual([
      ["RISKGATE_ADMIN_TOKEN", "RISKGATE_METRICS_TOKEN"],
      ["POSTGRES_PASSWORD", "POSTGRES_PASSWORD"],
    ]);
    const page = readFileSync(join(root, "docs/docker.md"), "utf8");
    for (const name of required.flat()) {
      expect(page).toMatch(
        new RegExp(`^echo "${name}=\\$\\(openssl rand -hex 24\\)" >> \\.env$`, "m"),
      );
    }
    for (const name of required[0]!) expect(page).toContain(`--from-literal=${name}=`);
  });

  it.runIf(hasSystemd)("has a unit that systemd accepts, and that is exposed little", () => {
    const scratch = mkdtempSync(join(tmpdir(), "riskgate-unit-"));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const unit = join(scratch, "riskgate.service");
    const analyze = (text: string, ...args: string[]) => {
      writeFileSync(unit, text.replace("/usr/bin/node", process.execPath));
      const { status, stdout, stderr } = spawnSync("systemd-analyze", [...args, unit], {
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    };
    const text = textOf("riskgate.service");
    expect(analyze(text, "verify")).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(analyze(text.replace("Restart=", "Restrat="), "verify").stderr).toContain("Restrat");
    const { stdout } = analyze(text, "security", "--offline=yes");
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
  });

  it("queries metrics that the service has in the dashboard", () => {
    const { panels } = JSON.parse(textOf("grafana-dashboard.json")) as {
      panels: { targets: { expr: string }[] }[];
    };
    const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => !METRICS.has(name))).toEqual([]);
  });

  it("queries metrics that the service has in the alerts", () => {
    const { groups } = parse(textOf("prometheus-rules.yaml")) as {
      groups: { rules: { expr: string }[] }[];
    };
    const asked = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => metricsIn(expr)));
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter((name) => !METRICS.has(name))).toEqual([]);
  });
});
