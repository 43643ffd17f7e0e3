import type { AgreementVersion } from '@lessonbook/contract/agreements';

interface Version {
  version: number;
  startsOn: string;
}

/**
 * The state of each version on a day. The current one is the latest that has started. A later version replaces an earlier
 * one that would start on the same day or after it.
 */
export function withStates<V extends Version>(
  versions: readonly V[],
  today: string,
): (V & Pick<AgreementVersion, 'state'>)[] {
  const current = Math.max(
    0,
    ...versions.filter(({ startsOn }) => startsOn <= today).map(({ version }) => version),
  );
  const isReplaced = ({ version, startsOn }: Version) =>
    versions.some((later) => later.version > version && later.startsOn <= startsOn);
  return versions.map((each) => ({
    ...each,
    state:
      each.version === current
        ? 'current'
        : each.version > current && !isReplaced(each)
          ? 'coming'
          : 'past',
  }));
}
