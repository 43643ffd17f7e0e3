import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Environment, settingDocs } from '@lessonbook/server/src/env-schema.ts';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, test } from 'vitest';
import { type Compose, readCompose } from './image/parse-compose-file.ts';
import { parseDockerfile, readEnvironment } from './image/parse-dockerfile.ts';
import { checkSchemas } from './kubernetes/check-schemas.ts';
import { nameOf, ofKind, readBase, readKustomization } from './kubernetes/manifests.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const base = join(root, 'deploy/kubernetes/base');
const example = join(root, 'deploy/kubernetes/example');
const manifests = readBase(base);
const deployments = ofKind(manifests, 'Deployment');
const [migrate] = ofKind(manifests, 'Job');
const compose: Compose = readCompose(join(root, 'compose.yaml'));

const workloads: [string, PodTemplateSpec][] = [
  ...deployments.map((each): [string, PodTemplateSpec] => [
    nameOf(each).replace('lessonbook-', ''),
    each.spec?.template as PodTemplateSpec,
  ]),
  ['migrate', migrate?.spec?.template as PodTemplateSpec],
];
const containerOf = (template: PodTemplateSpec) => {
  const { containers = [], initContainers = [] } = template.spec ?? {};
  expect(containers).toHaveLength(1);
  expect(initContainers).toEqual([]);
  return containers[0] as NonNullable<(typeof containers)[number]>;
};

test('the base lists every file, and all manifests match the closed Kubernetes schemas', () => {
  const files = globSync('*.yaml', { cwd: base }).filter((file) => file !== 'kustomization.yaml');
  expect(readKustomization(base).resources.toSorted()).toEqual(files.toSorted());
  const kinds = [...new Set(manifests.map(({ kind }) => kind))].toSorted();
  expect(kinds).toEqual([
    'ConfigMap',
    'Deployment',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ]);
  const ids = manifests.map((each) => `${each.kind} ${nameOf(each)}`);
  expect(new Set(ids).size).toBe(ids.length);

  const [deployment] = deployments;
  const replaceInDeployment = (from: string, to: string): object => {
    const json = JSON.stringify(deployment);
    expect(json).toContain(from);
    return JSON.parse(json.replace(from, to)) as object;
  };
  const wrong = [
    replaceInDeployment('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"'),
    replaceInDeployment('"enableServiceLinks":false', '"runAsUser":1000'),
    replaceInDeployment('"replicas":2', '"replicas":"2"'),
    { ...deployment, spec: { ...deployment?.spec, selector: undefined } },
    replaceInDeployment('"apps/v1"', '"apps/v1beta1"'),
  ];
  const errors = checkSchemas([...manifests, ...wrong]);
  const ours = errors.slice(0, manifests.length);
  expect(ours.flat()).toEqual([]);
  expect(errors.slice(manifests.length).map(([first]) => first)).toEqual([
    expect.stringMatching(/readOnlyRootFileSystem.* does not exist in type 'SecurityContext'/),
    expect.stringMatching(/runAsUser.* does not exist in type 'PodSpec'/),
    expect.stringContaining("'string' is not assignable to type 'number'"),
    expect.stringContaining("'selector' is missing"),
    expect.stringContaining('unknown kind: apps/v1beta1 Deployment'),
  ]);
});

describe.each(workloads)('%s', (name, template) => {
  const container = containerOf(template);
  const service = compose.services[name];

  test('has the same security restrictions as in compose', () => {
    expect(template.spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      volumes: [{ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } }],
    });
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'serviceAccountName'] as const)
      expect(template.spec?.[field]).toBeUndefined();
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: service?.read_only,
      capabilities: { drop: service?.cap_drop },
    });
    expect(container.volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
    expect(container.resources?.limits?.['memory']).toBeTruthy();
  });

  test('runs the same command as in compose, in our image', () => {
    expect(container.command).toEqual(service?.command);
    expect(container.image).toBe('lessonbook');
  });
});

describe.each(workloads.slice(0, 2))('%s', (_, template) => {
  const container = containerOf(template);

  test("has probes on the health routes and the image's port", () => {
    const stage = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8')).at(-1);
    const { PORT, WORKER_PORT } = readEnvironment(stage as NonNullable<typeof stage>);
    expect([Number(PORT), Number(WORKER_PORT)]).toEqual(
      Array(2).fill(container.ports?.[0]?.containerPort),
    );
    const routes = readFileSync(
      join(root, 'apps/server/src/platform/observability/health-and-metrics-routes.ts'),
      'utf8',
    );
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const paths = [startupProbe, livenessProbe, readinessProbe].map(
      (probe) => probe?.httpGet?.path,
    );
    // A database failure makes a process unready but does not restart it.
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz']);
    for (const path of paths) expect(routes).toContain(`'${path}'`);
  });

  test("gets the settings and one secret, but not the database owner's secret", () => {
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'lessonbook-settings' } },
      { secretRef: { name: 'lessonbook' } },
    ]);
    expect(container.env).toBeUndefined();
  });
});

test("only the migrations get the database owner's secret", () => {
  const container = containerOf(migrate?.spec?.template as PodTemplateSpec);
  expect(container.envFrom).toEqual([{ secretRef: { name: 'lessonbook-owner' } }]);
});

test('each selector matches the pods that it is meant for', () => {
  const labelsOf = (template: PodTemplateSpec | undefined) => template?.metadata?.labels ?? {};
  for (const { spec } of deployments)
    expect(labelsOf(spec?.template)).toEqual(spec?.selector.matchLabels);
  const budgets = ofKind(manifests, 'PodDisruptionBudget');
  expect(budgets.map(({ spec }) => spec?.selector?.matchLabels)).toEqual(
    deployments.map(({ spec }) => spec?.selector.matchLabels),
  );
  const [service] = ofKind(manifests, 'Service');
  expect(service?.spec?.selector).toEqual(deployments[0]?.spec?.selector.matchLabels);
  const [port] = service?.spec?.ports ?? [];
  expect(containerOf(workloads[0]?.[1] as PodTemplateSpec).ports?.[0]?.name).toBe(port?.targetPort);
});

test('the default policy denies all ingress, and the migrations can reach only DNS and the database', () => {
  const policies = ofKind(manifests, 'NetworkPolicy');
  const selecting = (labels: Record<string, string>) =>
    policies.filter(({ spec }) => {
      const { matchLabels = {}, matchExpressions = [] } = spec?.podSelector ?? {};
      return (
        Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
        matchExpressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ''))
      );
    });
  const namesFor = (component: string) =>
    selecting({
      'app.kubernetes.io/name': 'lessonbook',
      'app.kubernetes.io/component': component,
    }).map(nameOf);
  expect(namesFor('api')).toEqual([
    'lessonbook-default',
    'lessonbook-api',
    'lessonbook-metrics',
    'lessonbook-vendors',
  ]);
  expect(namesFor('worker')).toEqual([
    'lessonbook-default',
    'lessonbook-metrics',
    'lessonbook-vendors',
  ]);
  expect(namesFor('migrate')).toEqual(['lessonbook-default']);
  const [first] = policies;
  expect(first?.spec?.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(first?.spec?.ingress).toBeUndefined();
  expect(first?.spec?.egress?.flatMap(({ ports }) => ports?.map(({ port }) => port))).toEqual([
    53, 53, 5432, 6432,
  ]);
  for (const { spec } of policies)
    for (const { from } of spec?.ingress ?? []) expect(from).toHaveLength(1);
});

test('settings exist, are not secret, and have no value in the base', () => {
  const [settings] = ofKind(manifests, 'ConfigMap');
  const names = Object.keys(settings?.data ?? {});
  expect(names).toEqual(expect.arrayContaining(['APP_URL', 'MAIL_FROM', 'TRUSTED_PROXIES']));
  const shape: Record<string, object> = Environment.shape;
  for (const name of names) {
    const schema = shape[name] as Parameters<typeof settingDocs.get>[0];
    expect(settingDocs.get(schema)?.secret, name).toBe(false);
  }
  expect(Object.values(settings?.data ?? {}).join('')).toBe('');
});

test("the example sets the required settings and uses the project's version", () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const overlay = readKustomization(example);
  expect(overlay.resources).toEqual([`../${basename(base)}`]);
  for (const { images } of [readKustomization(base), overlay])
    expect(images.map(({ name, newTag }) => [name, newTag])).toEqual([['lessonbook', version]]);
  expect(overlay.patches?.map(({ path }) => path)).toEqual(['settings.yaml']);
  const patch = readFileSync(join(example, 'settings.yaml'), 'utf8');
  for (const name of ['APP_URL', 'MAIL_FROM', 'TRUSTED_PROXIES'])
    expect(patch).toMatch(new RegExp(`^  ${name}: \\S`, 'm'));
});
