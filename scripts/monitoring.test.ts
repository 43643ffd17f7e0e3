import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import { MESSAGE_KINDS } from '@lessonbook/contract/messages';
import { jobs } from '@lessonbook/server/src/jobs.ts';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { newSignupInput } from '@lessonbook/server/src/test/create-tutor.ts';
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
function readAlerts(path: string): Alert[] {
  const { groups } = parse(read(path)) as { groups: Array<{ rules: Alert[] }> };
  return groups.flatMap((group) => group.rules);
}
const alerts = readAlerts('deploy/prometheus/alerts.yaml');
const databaseAlerts = readAlerts('deploy/prometheus/database-alerts.yaml');
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
  // The email arrives just before its job finishes.
  const finishedJob = /account-mail",outcome="done"/;
  await waitUntil(
    async () => finishedJob.test((metricsText = await scrapeMetrics(app))),
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
  expectOnlyExported(expression, exported);
});

/** The database cluster's metrics come from a recording; the time of the latest backup is written by our own script. */
describe('alerts for a database cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lessonbook-monitoring-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const script = fileURLToPath(new URL('../deploy/backup/write-backup-age.sh', import.meta.url));
  const file = join(folder, 'lessonbook_backup.prom');
  const readBackupTime = () => parseMetricValue(readFileSync(file, 'utf8'));

  test.each(databaseAlerts)('$alert uses only exported metrics and labels', ({ expr }) => {
    execFileSync(script, ['--pgbackrest', file], { input: '[]' });
    const text = read('scripts/monitoring/database-metrics.txt') + readFileSync(file, 'utf8');
    expectOnlyExported(expr, parseMetrics(text));
  });

  test('DatabaseNodeDown covers every scrape job of the cluster', () => {
    const scraped = [...read('docs/operating/high-availability.md').matchAll(/job_name: (\w+)/g)];
    const { expr = '' } = databaseAlerts.find(({ alert }) => alert === 'DatabaseNodeDown') ?? {};
    const covered = parsePromql(expr).selectors[0]?.labels['job']?.split('|');
    expect(new Set(covered)).toEqual(new Set(scraped.map(([, name]) => name)));
  });

  test('DatabaseNoPrimary is reported for each HAProxy, so that a healthy one does not hide a failing one', () => {
    const { expr = '' } = databaseAlerts.find(({ alert }) => alert === 'DatabaseNoPrimary') ?? {};
    expect(parsePromql(expr).groupedBy).toEqual(['instance']);
  });

  test('the backup metric is the time of the newest finished base backup', () => {
    const write = () =>
      execFileSync(script, [file], { env: { PATH: process.env['PATH'], BACKUP_DIR: folder } });
    write();
    expect(readBackupTime()).toBeUndefined();
    for (const name of ['20261117T235959Z', '20261118T023015Z', '.unfinished-1'])
      mkdirSync(join(folder, 'base', name), { recursive: true });
    write();
    expect(readBackupTime()).toBe(Date.parse('2026-11-18T02:30:15Z') / 1000);
  });

  test('with pgBackRest, the backup metric is the time at which the backup ended', () => {
    const backup = (start: number, stop: number) => ({
      archive: { start: '000000010000000000000017', stop: '000000010000000000000017' },
      lsn: { start: '0/17000028', stop: '0/17000138' },
      timestamp: { start, stop },
    });
    const input = JSON.stringify([{ backup: [backup(1_794_000_000, 1_794_000_060)] }]);
    execFileSync(script, ['--pgbackrest', file], { input });
    expect(readBackupTime()).toBe(1_794_000_060);
  });
});

const parseMetricValue = (text: string): number | undefined => {
  const value = /^lessonbook_backup_completed_seconds (\d+)$/m.exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
};

function expectOnlyExported(expression: string, from: Map<string, Set<string>>): void {
  const { selectors, groupedBy } = parsePromql(expression);
  expect(selectors.length).toBeGreaterThan(0);
  const known = new Map([...from, ['up', new Set<string>()]]);
  for (const { metric, labels } of selectors) {
    expect([...known.keys()]).toContain(metric);
    const available = [...(known.get(metric) ?? []), ...BUILT_IN_LABELS];
    expect(available).toEqual(expect.arrayContaining([...Object.keys(labels), ...groupedBy]));
  }
}

test('the routes and job kinds that the expressions refer to exist', async () => {
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
      'address',
      'kind',
      'le',
      'method',
      'outcome',
      'route',
      'state',
      'status',
    ]);
  });

  test('the counters for rejected emails and failed messages are exported for every kind, even when they are 0', () => {
    const series = (name: string) =>
      [...metricsText.matchAll(new RegExp(`^${name}\\{kind="(\\w+)".*\\} 0$`, 'gm'))].map(
        ([, kind]) => kind,
      );
    expect(series('lessonbook_emails_total')).toEqual(
      expect.arrayContaining([...MESSAGE_KINDS, 'account', 'portal', 'security']),
    );
    expect(series('lessonbook_messages_failed_total')).toEqual(
      expect.arrayContaining([...MESSAGE_KINDS]),
    );
  });

  test('the worker exports the queue length of every job kind, even when it is 0', () => {
    const kinds = [...metricsText.matchAll(/^lessonbook_queue_jobs\{kind="([\w-]+)"\}/gm)];
    expect(kinds.map(([, kind = '']) => kind).toSorted()).toEqual(
      [...jobs.map((job) => job.name), 'abandoned'].toSorted(),
    );
    expect(metricsText).toMatch(/^lessonbook_emails_total\{kind="account",outcome="sent"\} [1-9]/m);
    expect(metricsText).toMatch(
      /^lessonbook_job_seconds_count\{kind="account-mail",outcome="done"\} [1-9]/m,
    );
    expect(metricsText).toMatch(/^lessonbook_db_wait_seconds_count [1-9]/m);
  });
});

test.each([...alerts, ...databaseAlerts])(
  '$alert has a severity, a summary and a runbook',
  ({ alert, labels, annotations }) => {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    const [file = '', anchor] = annotations.runbook.split('#');
    expect(anchor).toBe(alert.toLowerCase());
    expect(read(file)).toContain(`### ${alert}\n`);
  },
);
