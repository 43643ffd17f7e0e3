import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/wait-until-ready';
import type { SeededDatabase } from './databases.ts';
import { repositoryRoot } from './postgres-server.ts';
import { NOW } from './seed/generated-tutor-data.ts';

export interface Api {
  port: number;
  origin: string;
  pid: number;
  stop: () => Promise<void>;
}

export function createApiEnvironment(db: SeededDatabase, port: number): Record<string, string> {
  return {
    DATABASE_URL: db.urls.appUrl,
    APP_URL: `http://127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    // The API benchmarks send no email.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
    CLOCK_START: NOW,
    // The benchmark searches more often than the rate limits allow.
    RATE_LIMIT_FACTOR: '1000',
  };
}

/** Starts one API process on a seeded database. `root` is the folder with the source code. */
export async function startApi(db: SeededDatabase, root = repositoryRoot): Promise<Api> {
  const port = await findFreePort();
  const apiProcess = startProcess(
    `api on ${db.database}`,
    join(root, 'apps/server/src/api.ts'),
    createApiEnvironment(db, port),
    { cwd: root },
  );
  await waitUntilReady(apiProcess, `http://127.0.0.1:${port}`);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    pid: apiProcess.pid,
    stop: async () => {
      apiProcess.kill('SIGTERM');
      await apiProcess.exited;
    },
  };
}
