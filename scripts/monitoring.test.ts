import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import { jobs } from '@lessonbook/server/src/jobs.ts';
import { Browser } from '@lessonbook/server/src/test/browser.ts';
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

/** Given by Prometheus to whatever it scrapes. */
const BUILT_IN_LABELS = ['job', 'instance', 'le'];

let app: Lessonbook;
let exported: Map<string, Set<string>>;
let everything = '';
const tutor = newSignupInput({ name: 'Canary Name', email: 'canary@example.com' });

beforeAll(async () => {
  app = await startLessonbook({ cards: false, calendar: false, googleSignIn: false });
  const browser = new Browser(app.url, app.url);
  await browser.call(accounts.signup, { body: tutor });
  await browser.call(accounts.login, { body: { ...tutor, password: 'not this one' } });
  await app.mailbox.waitFor((mail) => mail.to.includes(tutor.email));
  // The mail is there a moment before its job is over.
  const over = /account-mail",outcome="done"/;
  await waitUntil(
    async () => over.test((everything = await scrapeMetrics(app))),
    () => everything,
  );
  exported = parseMetrics(everything);
});
afterAll(() => app.stop());

async function scrapeMetrics({ apis, workers }: Lessonbook): Promise<string> {
  const replies = [...apis, ...workers].map((each) => fetch(`${each.url}/metrics`));
  const texts = await Promise.all(replies.map(async (reply) => (await reply).text()));
  return texts.join('\n');
}

test.each(expressions)('%s asks in PromQL for what is really exported: %s', (_, expression) => {
  const { selectors, groupedBy } = parsePromql(expression);
  expect(selectors.length).toBeGreaterThan(0);
  const known = new Map([...exported, ['up', new Set<string>()]]);
  for (const { metric, labels } of selectors) {
    expect([...known.keys()]).toContain(metric);
    const has = [...(known.get(metric) ?? []), ...BUILT_IN_LABELS];
    expect(has).toEqual(expect.arrayContaining([...Object.keys(labels), ...groupedBy]));
  }
});

test('routes and kinds of jobs that are named exist', async () => {
  const reply = await fetch(`${app.url}/api/openapi.json`);
  const { paths } = (await reply.json()) as { paths: Record<string, object> };
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

describe('what is exported', () => {
  test('every metric of our own is explained, and carries a few labels and nothing personal', () => {
    const page = read('docs/operating/monitoring.md');
    const own = [...everything.matchAll(/^# TYPE (lessonbook_\w+)/gm)].map(([, name]) => name);
    expect(new Set(own).size).toBeGreaterThan(7);
    for (const name of own) expect(page).toContain(`\`${name}\``);
    expect(everything).not.toMatch(/canary|@example/i);
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

  test('the worker shows every kind of job that waits, also when none does', () => {
    const kinds = [...everything.matchAll(/^lessonbook_queue_jobs\{kind="([\w-]+)"\}/gm)];
    expect(kinds.map(([, kind = '']) => kind).toSorted()).toEqual(
      jobs.map((job) => job.name).toSorted(),
    );
    expect(everything).toMatch(/^lessonbook_mails_total\{outcome="sent"\} [1-9]/m);
    expect(everything).toMatch(
      /^lessonbook_job_seconds_count\{kind="account-mail",outcome="done"\} [1-9]/m,
    );
    expect(everything).toMatch(/^lessonbook_db_wait_seconds_count [1-9]/m);
  });
});

test.each(alerts)(
  '$alert says how urgent it is and what to do',
  ({ alert, labels, annotations }) => {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    const [file = '', anchor] = annotations.runbook.split('#');
    expect(anchor).toBe(alert.toLowerCase());
    expect(read(file)).toContain(`### ${alert}\n`);
  },
);
