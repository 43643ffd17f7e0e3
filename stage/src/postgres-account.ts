import { execFileSync } from 'node:child_process';

export interface Account {
  uid: number;
  gid: number;
}

const NAME = 'postgres';

/**
 * PostgreSQL refuses to run as root. On a machine where we are root (a container, a build machine)
 * it gets an account of its own; everywhere else it runs as us.
 */
export function accountForPostgres(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp() ?? create();
}

function lookUp(): Account | undefined {
  try {
    return { uid: numberFrom('-u'), gid: numberFrom('-g') };
  } catch {
    return undefined;
  }
}

function create(): Account {
  execFileSync('useradd', ['--system', '--user-group', '--no-create-home', NAME]);
  return { uid: numberFrom('-u'), gid: numberFrom('-g') };
}

function numberFrom(flag: '-u' | '-g'): number {
  return Number(
    execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}
