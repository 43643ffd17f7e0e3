import { execFileSync } from 'node:child_process';

export interface SystemAccount {
  uid: number;
  gid: number;
}

const NAME = 'postgres';

/**
 * PostgreSQL refuses to run as root. On a machine where we are root (a container, a build machine)
 * it gets an account of its own; everywhere else it runs as us.
 */
export function postgresAccount(): SystemAccount | undefined {
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
