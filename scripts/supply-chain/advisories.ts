import { spawnSync } from 'node:child_process';

interface AuditReport {
  message?: string;
  error?: { summary?: string; code?: string };
  vulnerabilities?: Record<string, { severity: string; nodes: string[]; range?: string }>;
}

export type Advisories =
  | { checked: true; faults: string[]; lesser: string[] }
  | { checked: false; why: string };

/** Known holes, as the registry knows them. */
export function fetchAdvisories(root: string, production: ReadonlySet<string>): Advisories {
  const run = spawnSync('npm', ['audit', '--json', '--audit-level=none', '--fetch-retries=0'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return parseAudit(run.stdout, production);
}

/**
 * A hole of high or critical severity in what runs in production is a fault; others are named. No answer is no good news:
 * it is said that nothing was checked.
 */
export function parseAudit(output: string | null, production: ReadonlySet<string>): Advisories {
  let report: AuditReport;
  try {
    report = JSON.parse(output ?? '') as AuditReport;
  } catch {
    return { checked: false, why: 'the registry gave no answer' };
  }
  if (!report.vulnerabilities)
    return {
      checked: false,
      why: report.message ?? report.error?.summary ?? 'the registry gave no answer',
    };
  const told = Object.entries(report.vulnerabilities).map(([name, { severity, nodes, range }]) => ({
    text: `${name} ${range ?? ''} has a known hole (${severity})`,
    grave: ['high', 'critical'].includes(severity) && nodes.some((path) => production.has(path)),
  }));
  return {
    checked: true,
    faults: told.filter(({ grave }) => grave).map(({ text }) => text),
    lesser: told.filter(({ grave }) => !grave).map(({ text }) => text),
  };
}
