import { execFileSync } from 'node:child_process';

export interface SystemAccount {
  uid: number;
  gid: number;
}

const NAME = 'postgres';

/**
 * PostgreSQL refuses to run as root. Where this process runs as root (a container, a CI machine), PostgreSQL gets
 * its own account; elsewhere it runs under the current one.
 */
export function getPostgresSystemAccount(): SystemAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return findAccount() ?? createAccount();
}

function findAccount(): SystemAccount | undefined {
  try {
    return { uid: readId('-u'), gid: readId('-g') };
  } catch {
    return undefined;
  }
}

function createAccount(): SystemAccount {
  execFileSync('useradd', ['--system', '--user-group', '--no-create-home', NAME]);
  return { uid: readId('-u'), gid: readId('-g') };
}

function readId(flag: '-u' | '-g'): number {
  return Number(
    execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}
