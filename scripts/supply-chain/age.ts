import { spawnSync } from 'node:child_process';
import { externalPackages, type Lock, type LockEntry, packageName } from './lock.ts';

/** A version must have been out for a week before it is taken: most poisoned ones are found within days. */
const MIN_AGE_DAYS = 7;
/** More than this at once is a new beginning rather than a change, and takes too long to ask for. */
const MAX_VERSIONS = 80;
const TIMEOUT_MS = 6_000;

/** Young ones that were taken all the same, each with the reason: a fix for a known hole. */
const AGE_EXCEPTIONS: ReadonlyMap<string, string> = new Map([]);

const versionsIn = (lock: Lock): Set<string> =>
  new Set(externalPackages(lock).map(([path, { version }]) => `${packageName(path)}@${version}`));

export const newVersions = (before: Lock, now: Lock): string[] => {
  const known = versionsIn(before);
  return [...versionsIn(now)].filter((each) => !known.has(each));
};

/** The lockfile as it was before this change: on main, or where this is main, one commit ago; none without a history. */
export function lockBefore(root: string, present: string): Lock | undefined {
  const kept = ['origin/main', 'main', 'HEAD~1'].flatMap((commit) => {
    const args = ['show', `${commit}:package-lock.json`];
    const run = spawnSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return run.status === 0 ? [run.stdout] : [];
  });
  const before = kept.find((text) => text !== present) ?? kept[0];
  if (before === undefined) return undefined;
  const { packages } = JSON.parse(before) as { packages: Record<string, LockEntry> };
  return new Map(Object.entries(packages));
}

export type Ages = { checked: true; faults: string[] } | { checked: false; why: string };

/** `publishedAt` gives when a version came out; it may fail, and then nothing is known. */
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
    return { checked: false, why: 'the registry gave no answer' };
  }
}

export async function fetchPublishDate(version: string): Promise<Date> {
  const at = version.lastIndexOf('@');
  const response = await fetch(`https://registry.npmjs.org/${version.slice(0, at)}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { time } = (await response.json()) as { time?: Record<string, string> };
  const said = time?.[version.slice(at + 1)];
  if (said === undefined) throw new Error(`The registry does not say when ${version} came out`);
  return new Date(said);
}
