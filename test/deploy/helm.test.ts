import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variableOf } from '../../src/cli/serve/configuration.ts';
import { command } from '../../src/cli/serve.ts';
import { version } from '../../src/load/version.ts';
import { render } from './go-template.ts';

const chart = 'deploy/helm/tacet';
const read = (path: string): string => readFileSync(join(chart, path), 'utf8');
const values = parse(read('values.yaml')) as Record<string, unknown>;
const document = 'name: "Quotes"\nendpoints: {}\n';
const postgres = {
  document,
  store: { url: 'postgres://tacet@db/tacet', passwordSecret: 'db', passwordKey: 'password' },
};

interface Named {
  readonly name: string;
  readonly value?: string;
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Manifest {
  readonly kind: string;
  readonly data: Record<string, string>;
  readonly spec: {
    readonly replicas: number;
    readonly selector?: { readonly matchLabels?: object };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly volumeClaimTemplates?: readonly object[];
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly containers: readonly {
          readonly image: string;
          readonly env: readonly Named[];
          readonly envFrom?: readonly object[];
          readonly volumeMounts: readonly Named[];
          readonly ports: readonly Named[];
          readonly resources: object;
          readonly startupProbe: Probe;
          readonly livenessProbe: Probe;
          readonly readinessProbe: Probe;
        }[];
        readonly volumes: readonly Named[];
      };
    };
  };
}

/** The manifests of the chart, by their kinds. */
function manifests(given: Readonly<Record<string, unknown>>): Record<string, Manifest> {
  const top = {
    Values: { ...values, ...given },
    Release: { Name: 'quotes' },
    Chart: { AppVersion: (parse(read('Chart.yaml')) as { appVersion: string }).appVersion },
  };
  const all = readdirSync(join(chart, 'templates')).flatMap((name) => {
    // What is left of a template may be nothing.
    const parsed = parseAllDocuments(render(read(`templates/${name}`), top));
    expect([name, parsed.flatMap(({ errors }) => errors)]).toEqual([name, []]);
    return parsed.map((one) => one.toJS() as Manifest | null);
  });
  return Object.fromEntries(all.flatMap((one) => (one ? [[one.kind, one]] : [])));
}

const containerOf = (one: Manifest | undefined) => one?.spec.template.spec.containers[0];

describe('the Helm chart', () => {
  it('runs one pod over SQLite, with a volume', () => {
    const { StatefulSet, ConfigMap, Deployment } = manifests({ document });
    expect([StatefulSet?.spec.replicas, StatefulSet?.spec.volumeClaimTemplates?.length, Deployment]).toEqual([
      1,
      1,
      undefined,
    ]);
    expect(ConfigMap?.data).toEqual({ 'service.md': document });
    expect(containerOf(StatefulSet)?.image).toBe(`tacet:${version()}`);
  });

  it('runs several pods over PostgreSQL, with the password of a Secret', () => {
    const { Deployment, StatefulSet } = manifests({ ...postgres, replicas: 3 });
    expect([Deployment?.spec.replicas, StatefulSet]).toEqual([3, undefined]);
    expect(containerOf(Deployment)?.env).toContainEqual({ name: 'TACET_STORE', value: postgres.store.url });
    expect(containerOf(Deployment)?.env).toContainEqual({
      name: 'PGPASSWORD',
      valueFrom: { secretKeyRef: { name: 'db', key: 'password' } },
    });
  });

  it('lets one pod go at a time where there are several, and selects the pods that there are', () => {
    const { PodDisruptionBudget, Deployment, Service } = manifests(postgres);
    expect(PodDisruptionBudget?.spec).toEqual({ maxUnavailable: 1, selector: Deployment?.spec.selector });
    expect(Service?.spec.selector).toEqual(Deployment?.spec.template.metadata.labels);
    expect(Deployment?.spec.selector?.matchLabels).toEqual(Deployment?.spec.template.metadata.labels);
    expect(manifests({ document })['PodDisruptionBudget']).toBeUndefined();
  });

  it('asks the ports that the container has, and gives it what it is told to', () => {
    const resources = { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: '512Mi' } };
    const { Deployment, Service } = manifests({ ...postgres, resources });
    const container = containerOf(Deployment);
    const ports = container?.ports.map(({ name }) => name) ?? [];
    const asked = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
    expect(asked.map((one) => [one?.httpGet.path, one?.httpGet.port])).toEqual([
      ['/ready', 'ops'],
      ['/live', 'ops'],
      ['/ready', 'ops'],
    ]);
    expect(ports).toEqual(
      expect.arrayContaining(['ops', ...(Service?.spec.ports ?? []).map((one) => one.targetPort)]),
    );
    expect(container?.resources).toEqual(resources);
  });

  it('mounts each volume that there is, and no other', () => {
    for (const given of [
      { document },
      postgres,
      { ...postgres, tlsSecret: 'tls' },
      { document, tlsSecret: 'tls' },
    ]) {
      const { Deployment, StatefulSet } = manifests(given);
      const workload = Deployment ?? StatefulSet;
      const volumes = workload?.spec.template.spec.volumes.map(({ name }) => name) ?? [];
      const claims = StatefulSet ? ['data'] : [];
      expect(
        containerOf(workload)
          ?.volumeMounts.map(({ name }) => name)
          .sort(),
      ).toEqual([...volumes, ...claims].sort());
    }
  });

  it('sets variables that are options, and those that are given', () => {
    const { StatefulSet } = manifests({
      document,
      tlsSecret: 'tls',
      env: { TACET_URL: 'https://quotes.example', TACET_MAX_REQUESTS: 100 },
      secretEnv: 'secrets',
    });
    const { env = [], envFrom } = containerOf(StatefulSet) ?? {};
    const options = new Set(Object.keys(command.options).map(variableOf));
    expect(env.map(({ name }) => name).filter((name) => !options.has(name))).toEqual([]);
    expect(env).toContainEqual({ name: 'TACET_MAX_REQUESTS', value: '100' });
    expect(env).toContainEqual({ name: 'TACET_TLS_CERT', value: '/tls/tls.crt' });
    expect(envFrom).toEqual([{ secretRef: { name: 'secrets' } }]);
  });

  it('wants a document', () => {
    expect(() => manifests({})).toThrow('name the document: --set-file document=service.md');
  });

  const helm = spawnSync('helm', ['version']).status === 0;
  it.skipIf(!helm)('is rendered alike by helm itself (skipped where there is no helm)', () => {
    const words = ['template', 'quotes', chart, '--set', `document=x,store.url=${postgres.store.url}`];
    const { stdout, stderr } = spawnSync('helm', words, { encoding: 'utf8' });
    expect(stderr).toBe('');
    const kinds = parseAllDocuments(stdout).map((one) => (one.toJS() as Manifest).kind);
    expect(kinds.sort()).toEqual(['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service']);
  });
});
