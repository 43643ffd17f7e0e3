import { spawnSync } from 'node:child_process';
import { externalPackages, type Lockfile, type LockfileEntry, packageName } from './lockfile.ts';

/** Minimum age of a version; most malicious versions are found within days. */
const MIN_AGE_DAYS = 7;
/** Checking more new versions than this would take too long. */
const MAX_VERSIONS = 80;
const TIMEOUT_MS = 6_000;

/** Newer versions that are allowed, each with a reason such as a security fix. */
const AGE_EXCEPTIONS: ReadonlyMap<string, string> = new Map([]);

const listVersions = (lock: Lockfile): Set<string> =>
  new Set(externalPackages(lock).map(([path, { version }]) => `${packageName(path)}@${version}`));

export const findNewVersions = (before: Lockfile, now: Lockfile): string[] => {
  const known = listVersions(before);
  return [...listVersions(now)].filter((each) => !known.has(each));
};

/** The lockfile before this change: from main or, when on main, from the previous commit; undefined if there is no history. */
export function readPreviousLockfile(root: string, currentText: string): Lockfile | undefined {
  const versions = ['origin/main', 'main', 'HEAD~1'].flatMap((commit) => {
    const args = ['show', `${commit}:package-lock.json`];
    const run = spawnSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return run.status === 0 ? [run.stdout] : [];
  });
  const before = versions.find((text) => text !== currentText) ?? versions[0];
  if (before === undefined) return undefined;
  const { packages } = JSON.parse(before) as { packages: Record<string, LockfileEntry> };
  return new Map(Object.entries(packages));
}

export type AgeCheck = { checked: true; faults: string[] } | { checked: false; why: string };

/** When `getPublishDate` fails, the result is "not checked". */
export async function findTooNew(
  versions: readonly string[],
  now: Date,
  getPublishDate: (version: string) => Promise<Date>,
): Promise<AgeCheck> {
  if (versions.length > MAX_VERSIONS)
    return { checked: false, why: `${versions.length} new versions at once` };
  try {
    const ages = await Promise.all(
      versions.map(async (version) => {
        const days = (now.getTime() - (await getPublishDate(version)).getTime()) / 86_400_000;
        return { version, days };
      }),
    );
    const tooNew = ages.filter(
      ({ version, days }) => days < MIN_AGE_DAYS && !AGE_EXCEPTIONS.has(version),
    );
    return {
      checked: true,
      faults: tooNew.map(({ version, days }) => `${version} is ${days.toFixed(1)} days old`),
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
  if (publishedAt === undefined) throw new Error(`The registry has no publish date for ${version}`);
  return new Date(publishedAt);
}
