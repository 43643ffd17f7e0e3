import { existsSync, readdirSync } from 'node:fs';

const ROOT = '/usr/lib/postgresql';
const REQUIRED_BINARIES = [
  'initdb',
  'postgres',
  'pg_basebackup',
  'pg_receivewal',
  'pg_verifybackup',
];

/** The newest PostgreSQL on this system that includes the backup programs; the npm package has none. */
export function findPostgresBinDir(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  return readdirSync(ROOT)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => `${ROOT}/${version}/bin`)
    .find((folder) => REQUIRED_BINARIES.every((name) => existsSync(`${folder}/${name}`)));
}

export const BINARIES_MISSING =
  'PostgreSQL with pg_basebackup and pg_receivewal is missing: apt-get install postgresql';
