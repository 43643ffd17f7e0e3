import type { Compilable } from 'kysely';
import type pg from 'pg';
import { pipelineAll } from './await-pipelined-statements.ts';
import { pgClientOf, type Tx } from './database.ts';
import { batchWrites, runExclusively, sendQuery } from './kysely-adapter.ts';
import { type ContactPrincipal, resetRole, setContact } from './set-transaction-principal.ts';

type BatchRows<Q extends readonly (Compilable | null)[]> = {
  -readonly [K in keyof Q]: Q[K] extends Compilable<infer Row> | null ? Row[] : never;
};

/**
 * Sends statements that do not need each other's results in one round trip and returns their rows. They run in list
 * order, so each sees the changes made by earlier ones. A null entry is skipped and returns no rows.
 */
export async function executeBatch<const Q extends readonly (Compilable | null)[]>(
  tx: Tx,
  queries: Q,
): Promise<BatchRows<Q>> {
  const client = pgClientOf(tx) as pg.PoolClient;
  // All are compiled before the first is sent, so that nothing is sent if one of them is invalid.
  const compiled = queries.map((query) => query && query.compile());
  const results = await runExclusively(client, () => {
    batchWrites(client);
    return pipelineAll(compiled.map((query) => query && sendQuery(client, query)));
  });
  return results.map((result) => result?.rows ?? []) as BatchRows<Q>;
}

/**
 * Like executeBatch, but with the privileges of a contact. Runs in a transaction for the tutor, so that the contact's access
 * cannot change before the transaction ends.
 */
export async function executeAsContact<const Q extends readonly Compilable[]>(
  tx: Tx,
  contact: ContactPrincipal,
  queries: Q,
): Promise<BatchRows<Q>> {
  const client = pgClientOf(tx) as pg.PoolClient;
  await runExclusively(client, () => setContact(client, contact));
  const rows = await executeBatch(tx, queries);
  await runExclusively(client, () => resetRole(client));
  return rows;
}
