import { spawnSync } from 'node:child_process';
import { externalPackages, type Lock, type LockEntry, packageName } from './lock.ts';

/** Minimum age of a version; most malicious versions are found within days. */
const MIN_AGE_DAYS = 7;
/** More new versions than this take too long to look up. */
const MAX_VERSIONS = 80;
const TIMEOUT_MS = 6_000;

/** Newer versions that are allowed, each with a reason such as a security fix. */
const AGE_EXCEPTIONS: ReadonlyMap<string, string> = new Map([]);

const versionsIn = (lock: Lock): Set<string> =>
  new Set(externalPackages(lock).map(([path, { version }]) => `${packageName(path)}@${version}`));

export const newVersions = (before: Lock, now: Lock): string[] => {
  const known = versionsIn(before);
  return [...versionsIn(now)].filter((each) => !known.has(each));
};

/** The lockfile before this change: from main or, when on main, from the previous commit; undefined without history. */
export function lockBefore(root: string, present: string): Lock | undefined {
  const versions = ['origin/main', 'main', 'HEAD~1'].flatMap((commit) => {
    const args = ['show', `${commit}:package-lock.json`];
    const run = spawnSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return run.status === 0 ? [run.stdout] : [];
  });
  const before = versions.find((text) => text !== present) ?? versions[0];
  if (before === undefined) return undefined;
  const { packages } = JSON.parse(before) as { packages: Record<string, LockEntry> };
  return new Map(Object.entries(packages));
}

export type Ages = { checked: true; faults: string[] } | { checked: false; why: string };

/** When `publishedAt` fails, the result is "not checked". */
export async function findTooNew(
  versions: readonly string[],
  now: Date,
  publishedAt: (version: string) => Promise<Date>,
): Promise<Ages> {
  if (versions.length > MAX_VERSIONS)
    return { checked: false, why: `${versions.length} new versions at once` };
  try {
    const ages = await Promise.all(
      versions.map(async (version) => {
        const days = (now.getTime() - (await publishedAt(version)).getTime()) / 86_400_000;
        return { version, days };
      }),
    );
    const young = ages.filter(
      ({ version, days }) => days < MIN_AGE_DAYS && !AGE_EXCEPTIONS.has(version),
    );
    return {
      checked: true,
      faults: young.map(({ version, days }) => `${version} is ${days.toFixed(1)} days old`),
    };
  } catch {
    return { checked: false, why: 'no response from the registry' };
  }
}

export async function fetchPublishDate(version: string): Promise<Date> {
  const at = version.lastIndexOf('@');
  const response = await fetch(`https://registry.npmjs.org/${version.slice(0, at)}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { time } = (await response.json()) as { time?: Record<string, string> };
  const publishedAt = time?.[version.slice(at + 1)];
  if (publishedAt === undefined) throw new Error(`No publish date of ${version} in the registry`);
  return new Date(publishedAt);
}
