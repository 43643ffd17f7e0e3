import { spawnSync } from 'node:child_process';

interface AuditReport {
  message?: string;
  error?: { summary?: string; code?: string };
  vulnerabilities?: Record<string, { severity: string; nodes: string[]; range?: string }>;
}

export type AdvisoryCheck =
  | { checked: true; faults: string[]; warnings: string[] }
  | { checked: false; why: string };

/** Fetches known vulnerabilities from the npm registry. */
export function fetchAdvisories(root: string, production: ReadonlySet<string>): AdvisoryCheck {
  const run = spawnSync('npm', ['audit', '--json', '--audit-level=none', '--fetch-retries=0'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return parseAudit(run.stdout, production);
}

/**
 * A high or critical vulnerability in a production dependency is a fault; others are only listed. Without a response from the
 * registry, the result is "not checked".
 */
export function parseAudit(output: string | null, production: ReadonlySet<string>): AdvisoryCheck {
  let report: AuditReport;
  try {
    report = JSON.parse(output ?? '') as AuditReport;
  } catch {
    return { checked: false, why: 'no response from the registry' };
  }
  if (!report.vulnerabilities)
    return {
      checked: false,
      why: report.message ?? report.error?.summary ?? 'no response from the registry',
    };
  const advisories = Object.entries(report.vulnerabilities).map(
    ([name, { severity, nodes, range }]) => ({
      text: `${name} ${range ?? ''} has a known vulnerability (${severity})`,
      isFault:
        ['high', 'critical'].includes(severity) && nodes.some((path) => production.has(path)),
    }),
  );
  return {
    checked: true,
    faults: advisories.filter(({ isFault }) => isFault).map(({ text }) => text),
    warnings: advisories.filter(({ isFault }) => !isFault).map(({ text }) => text),
  };
}
