import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import * as apps from "kubernetes-models/apps/v1";
import * as core from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { root } from "../workspace.mjs";

const deploy = join(root, "examples/deploy");
const textOf = (...path: string[]): string => readFileSync(join(deploy, ...path), "utf8");

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

  it("publishes ports of the compose file on this machine only, administration too", () => {
    const { services } = parse(textOf("compose.yaml"), { merge: true }) as {
      services: Record<string, { ports?: string[]; command?: string[] }>;
    };
    const published = Object.values(services).filter(({ ports }) => ports !== undefined);
    expect(published).toHaveLength(2);
    for (const { ports, command } of published) {
      expect(ports).toEqual(["127.0.0.1:8080:8080", "127.0.0.1:8081:8081"]);
      expect(command?.join(" ")).toContain("--host 0.0.0.0 --admin-host 0.0.0.0");
    }
  });

  it("has a compose file whose services, volumes and profiles exist", () => {
    const { services, volumes } = parse(textOf("compose.yaml"), { merge: true }) as {
      services: Record<
        string,
        { image?: string; volumes?: string[]; depends_on?: Record<string, object> }
      >;
      volumes: Record<string, null>;
    };
    for (const [name, { image, volumes: mounted = [], depends_on: needed = {} }] of Object.entries(
      services,
    )) {
      expect(image, name).toBeTypeOf("string");
      for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(":")[0]!);
      for (const other of Object.keys(needed)) expect(services).toHaveProperty(other);
    }
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
