import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import { jobs } from '@lessonbook/server/src/jobs.ts';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { newSignupInput } from '@lessonbook/server/src/test/tutor.ts';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseMetrics, parsePromql } from './monitoring/promql.ts';

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Panel {
  title: string;
  targets?: Array<{ expr: string }>;
}
const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
  groups: Array<{ rules: Alert[] }>;
};
const alerts = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/grafana/lessonbook.json')) as { panels: Panel[] };
const expressions: Array<[string, string]> = [
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    (targets ?? []).map(({ expr }): [string, string] => [title, expr]),
  ),
];

/** Labels that Prometheus adds. */
const BUILT_IN_LABELS = ['job', 'instance', 'le'];

let app: Lessonbook;
let exported: Map<string, Set<string>>;
let metricsText = '';
const tutor = newSignupInput({ name: 'Canary Name', email: 'canary@example.com' });

beforeAll(async () => {
  app = await startLessonbook({ cards: false, calendar: false, googleSignIn: false });
  const browser = new Browser(app.url, app.url);
  await browser.call(accounts.signup, { body: tutor });
  await browser.call(accounts.login, { body: { ...tutor, password: 'not this one' } });
  await app.mailbox.waitFor((mail) => mail.to.includes(tutor.email));
  // The mail arrives just before its job finishes.
  const jobDone = /account-mail",outcome="done"/;
  await waitUntil(
    async () => jobDone.test((metricsText = await scrapeMetrics(app))),
    () => metricsText,
  );
  exported = parseMetrics(metricsText);
});
afterAll(() => app.stop());

async function scrapeMetrics({ apis, workers }: Lessonbook): Promise<string> {
  const responses = [...apis, ...workers].map((each) => fetch(`${each.url}/metrics`));
  const texts = await Promise.all(responses.map(async (response) => (await response).text()));
  return texts.join('\n');
}

test.each(expressions)('%s uses only exported metrics and labels: %s', (_, expression) => {
  const { selectors, groupedBy } = parsePromql(expression);
  expect(selectors.length).toBeGreaterThan(0);
  const known = new Map([...exported, ['up', new Set<string>()]]);
  for (const { metric, labels } of selectors) {
    expect([...known.keys()]).toContain(metric);
    const available = [...(known.get(metric) ?? []), ...BUILT_IN_LABELS];
    expect(available).toEqual(expect.arrayContaining([...Object.keys(labels), ...groupedBy]));
  }
});

test('the routes and job kinds in the expressions exist', async () => {
  const response = await fetch(`${app.url}/api/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  const labels = expressions.flatMap(([, expression]) =>
    parsePromql(expression).selectors.map((selector) => selector.labels),
  );
  const routes = labels.flatMap(({ method, route }) => (route ? [`${method} ${route}`] : []));
  const kinds = labels.flatMap(({ kind }) => (kind ? [kind] : []));
  expect(routes.length).toBeGreaterThan(1);
  expect(served).toEqual(expect.arrayContaining(routes));
  expect(jobs.map((job) => job.name)).toEqual(expect.arrayContaining(kinds));
});

describe('exported metrics', () => {
  test('are documented and have no personal data in their labels', () => {
    const page = read('docs/operating/monitoring.md');
    const ownMetrics = [...metricsText.matchAll(/^# TYPE (lessonbook_\w+)/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(ownMetrics).size).toBeGreaterThan(7);
    for (const name of ownMetrics) expect(page).toContain(`\`${name}\``);
    expect(metricsText).not.toMatch(/canary|@example/i);
    const labels = new Set(
      [...exported].flatMap(([name, each]) => (name.startsWith('lessonbook_') ? [...each] : [])),
    );
    expect([...labels].toSorted()).toEqual([
      'kind',
      'le',
      'method',
      'outcome',
      'route',
      'state',
      'status',
    ]);
  });

  test('the worker exports the queue length of every job kind, even when it is 0', () => {
    const kinds = [...metricsText.matchAll(/^lessonbook_queue_jobs\{kind="([\w-]+)"\}/gm)];
    expect(kinds.map(([, kind = '']) => kind).toSorted()).toEqual(
      [...jobs.map((job) => job.name), 'given-up'].toSorted(),
    );
    expect(metricsText).toMatch(/^lessonbook_emails_total\{outcome="sent"\} [1-9]/m);
    expect(metricsText).toMatch(
      /^lessonbook_job_seconds_count\{kind="account-mail",outcome="done"\} [1-9]/m,
    );
    expect(metricsText).toMatch(/^lessonbook_db_wait_seconds_count [1-9]/m);
  });
});

test.each(alerts)(
  '$alert has a severity, a summary and a runbook',
  ({ alert, labels, annotations }) => {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    const [file = '', anchor] = annotations.runbook.split('#');
    expect(anchor).toBe(alert.toLowerCase());
    expect(read(file)).toContain(`### ${alert}\n`);
  },
);
