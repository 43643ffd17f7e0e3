import pg from 'pg';

const INT8 = 20;
const DATE = 1082;

/** All int8 values (ids and minor units) fit into a number; dates are kept as `yyyy-MM-dd` text. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    if (oid === DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

/** Set on every connection that requests and jobs use. */
export const SESSION_OPTIONS = [
  '-c statement_timeout=15s',
  '-c idle_in_transaction_session_timeout=30s',
  '-c lock_timeout=10s',
  // Every statement filters by tutor_id first, so one generic plan suits all tutors; planning costs more than
  // execution.
  '-c plan_cache_mode=force_generic_plan',
].join(' ');
