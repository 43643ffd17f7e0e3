import type { FakeGoogle } from '@lessonbook/fakes/google';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type { FakeStripe } from '@lessonbook/fakes/stripe';
import type pg from 'pg';
import type { ChaosResults } from './results.ts';
import type { Servers } from './virtual-users/retrying-client.ts';

export interface ChaosEnvironment {
  servers: Servers;
  maintenanceDb: pg.Pool;
  results: ChaosResults;
  seed: number;
  mailbox: Mailbox;
  stripe: FakeStripe['control'];
  google: FakeGoogle['control'];
}
