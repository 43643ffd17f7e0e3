import { existsSync, readdirSync } from 'node:fs';

const ROOT = '/usr/lib/postgresql';
const NEEDED = ['initdb', 'postgres', 'pg_basebackup', 'pg_receivewal', 'pg_verifybackup'];

/** The newest PostgreSQL of the system that brings the programs for backups; the one from npm has none of them. */
export function findPrograms(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  return readdirSync(ROOT)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => `${ROOT}/${version}/bin`)
    .find((folder) => NEEDED.every((name) => existsSync(`${folder}/${name}`)));
}

export const WITHOUT_PROGRAMS =
  'PostgreSQL with pg_basebackup and pg_receivewal is missing: apt-get install postgresql';
